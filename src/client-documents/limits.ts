import { databaseLimits, day, hour } from '../platform/rate-limits/limit.ts';

const read = 'metadata documents of unknown apps that are read';
const couldBeRead = 'those of one domain that could be read';

export const documentLimits = databaseLimits({
  document_request: [10, hour, 'an account', read],
  document_network: [60, hour, 'a network', read],
  document_part: [5, hour, 'an account', couldBeRead],
  document_domain: [30, hour, 'all accounts', couldBeRead],
  // A change is kept in the app's history, or sends an email to every admin.
  document_change: [10, day, 'an app', 'changes of its metadata document'],
});
