import type { FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { compileInput } from '../input-faults.ts';
import { registerBearerScope } from '../oauth/bearer.ts';
import { type CreationDeps, registerBookingCreation } from './bookings/creation.ts';
import { type BookingDeps, registerBookings } from './bookings/routes.ts';
import { type CalendarDeps, registerCalendars } from './calendars/routes.ts';
import { registerCallerScope } from './callers/scope.ts';
import { registerEventTypeLists } from './event-types/lists.ts';
import { type EventTypeDeps, registerEventTypes } from './event-types/routes.ts';
import { registerJsonBody } from './json-body.ts';
import { type ManagedUserDeps, registerManagedUsers } from './managed-users/routes.ts';
import { registerMe } from './me/routes.ts';
import { registerSchedules, type ScheduleDeps } from './schedules/routes.ts';
import { registerSlots, type SlotDeps } from './slots/routes.ts';
import { registerVersions } from './versions.ts';

export interface SchedulingDeps
  extends BookingDeps,
    CalendarDeps,
    CreationDeps,
    EventTypeDeps,
    ManagedUserDeps,
    ScheduleDeps,
    SlotDeps {}

/** The scheduling API, contract §8: one scope for what a token opens, one for what is there without, one for clients themselves. */
export async function registerScheduling(app: FastifyInstance, deps: SchedulingDeps): Promise<void> {
  app.setValidatorCompiler(compileInput);
  app.setSerializerCompiler(serializerCompiler);
  registerJsonBody(app);
  registerVersions(app);
  await app.register(async (own) => {
    registerBearerScope(own, deps);
    registerMe(own, deps);
    await own.register(async (acting) => {
      registerCallerScope(acting, deps);
      await registerEventTypes(acting, deps);
      await registerBookings(acting, deps);
      await acting.register((schedules) => registerSchedules(schedules, deps));
      await acting.register((calendars) => registerCalendars(calendars, deps));
    });
  });
  await app.register(async (open) => {
    registerBearerScope(open, deps, { isOptional: true });
    registerCallerScope(open, deps);
    await registerEventTypeLists(open, deps);
    await registerSlots(open, deps);
    await registerBookingCreation(open, deps);
  });
  await app.register((managed) => registerManagedUsers(managed, deps));
}
