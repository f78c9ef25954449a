import type { Db } from './database.ts';

/**
 * Builds and plans once per database, also for its transactions: Drizzle's builder costs more than
 * the statement itself.
 */
export function prepared<Statement extends object>(prepare: (db: Db) => Statement): (db: Db) => Statement {
  const statements = new WeakMap<object, Statement>();
  return (db) => {
    // A database and its transactions share the dialect, and have a client each.
    const dialect: object = Reflect.get(db, 'dialect');
    const client: unknown = Reflect.get(Reflect.get(db, 'session'), 'client');
    const statement = statements.get(dialect) ?? prepare(db);
    statements.set(dialect, statement);
    return Object.assign(Object.create(statement), { client });
  };
}

export function preparedFor<App extends { readonly db: Db }, Statement>(
  prepare: (app: App) => Statement,
): (app: App) => Statement {
  const statements = new WeakMap<Db, Statement>();
  return (app) => {
    const statement = statements.get(app.db) ?? prepare(app);
    statements.set(app.db, statement);
    return statement;
  };
}
