// The example needs these declarations of @cloudflare/workers-types.

declare module 'cloudflare:workers' {
  export class DurableObject {
    constructor(ctx: DurableObjectState, bindings: unknown);
    protected readonly ctx: DurableObjectState;
  }

  export interface DurableObjectState {
    readonly storage: {
      get<Value>(key: string): Promise<Value | undefined>;
      put(key: string, value: unknown): Promise<void>;
      readonly sql: {
        exec(
          statement: string,
          ...values: readonly unknown[]
        ): { toArray(): Readonly<Record<string, unknown>>[] };
      };
    };
  }

  /** Calls of a stub's methods run inside the object, wherever that is. */
  export interface DurableObjectNamespace<Methods> {
    getByName(name: string): Methods;
    idFromName(name: string): unknown;
    get(id: unknown): Methods;
  }
}
