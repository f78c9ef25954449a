/** A metadata document's address is its client_id (contract §2); generated ids are hexadecimal. */
export function isDocumentId(clientId: string): boolean {
  return /^https:\/\/[\x21-\x7e]+$/.test(clientId);
}

/** A client from a document counts only while documents are read. */
export function isUnreadDocument(
  { clientDocuments }: { readonly clientDocuments: object | undefined },
  clientId: string,
): boolean {
  return clientDocuments === undefined && isDocumentId(clientId);
}
