const dotless = new Set(['gmail.com', 'googlemail.com']);

/** One mailbox has many spellings: the tag after a plus and Gmail's dots are left out. */
export function normalAddressOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
