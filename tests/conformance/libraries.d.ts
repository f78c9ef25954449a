// What the tests call of libraries that come without types.

declare module 'simple-oauth2' {
  export interface AccessToken {
    readonly token: Readonly<Record<string, unknown>>;
    expired(windowSeconds?: number): boolean;
    refresh(): Promise<AccessToken>;
    revokeAll(): Promise<void>;
  }
  export class AuthorizationCode {
    constructor(options: {
      readonly client: { readonly id: string; readonly secret: string };
      readonly auth: Readonly<Record<'tokenHost' | 'tokenPath' | 'revokePath' | 'authorizePath', string>> & {
        readonly authorizeHost?: string;
      };
    });
    authorizeURL(parameters: Readonly<Record<string, string>>): string;
    getToken(parameters: Readonly<Record<string, string>>): Promise<AccessToken>;
  }
}

declare module 'passport-oauth2' {
  type Verified = (error: unknown, user?: unknown) => void;
  interface Request {
    readonly query: Readonly<Record<string, string>>;
    readonly session: object;
  }
  export default class OAuth2Strategy {
    constructor(
      options: Readonly<Record<string, string | boolean>>,
      verify: (accessToken: string, refreshToken: string, profile: object, done: Verified) => void,
    );
    /** Passport sets these on each request's own copy. */
    redirect: (address: string) => void;
    success: (user: unknown) => void;
    fail: (challenge: unknown) => void;
    error: (error: unknown) => void;
    authenticate(request: Request): void;
  }
}
