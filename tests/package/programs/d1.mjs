import { checkSql } from './sql-check.mjs';

/** In a Worker, with a D1 database. */
export default {
  async fetch(_request, { DB }) {
    const query = async (statement, values) =>
      (
        await DB.prepare(statement)
          .bind(...values)
          .all()
      ).results;
    try {
      await checkSql(query, '?1');
      return new Response('right');
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};
