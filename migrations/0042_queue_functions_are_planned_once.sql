-- PostgreSQL planned what they do at each call, which took more than doing it: it expects a better
-- plan for the arrays at hand. What they may use is fixed, so there is none.
ALTER FUNCTION "queue_claim" SET plan_cache_mode = force_generic_plan;--> statement-breakpoint
ALTER FUNCTION "queue_release" SET plan_cache_mode = force_generic_plan;
