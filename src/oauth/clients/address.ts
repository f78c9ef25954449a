/** Where developers look after their clients; everything of one client is below its page. */
export const developerHome = '/settings/developer/oauth';

/** A route below a client's page. */
export interface ClientRoute {
  Params: { clientId: string };
}

/** What a page says once, above everything else, after a form has led to it. */
export type Done =
  | 'changed'
  | 'resubmitted'
  | 'edit_submitted'
  | 'edit_withdrawn'
  | 'unchanged'
  | 'nothing_to_withdraw'
  | 'outdated'
  | 'kept'
  | 'secret_added'
  | 'secret_deleted'
  | 'deleted'
  | 'nothing_to_delete';

/** A client's page; `done` goes along to be told there. */
export function clientPage(clientId: string, done?: Done): string {
  return withDone(`${developerHome}/${clientId}`, done);
}

/** The list of clients; `done` goes along to be told there. */
export function clientList(done: Done): string {
  return withDone(developerHome, done);
}

/** An address at which it is told what was done. */
export function withDone(path: string, done: Done | undefined): string {
  return done === undefined ? path : `${path}?done=${done}`;
}
