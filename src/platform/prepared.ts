import type { Db } from './database.ts';

/** Builds and plans once per database: Drizzle's builder costs more than the statement itself. */
export function prepared<Statement>(prepare: (db: Db) => Statement): (db: Db) => Statement {
  const find = preparedFor(({ db }: { readonly db: Db }) => prepare(db));
  return (db) => find({ db });
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
