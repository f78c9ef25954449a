/** What a form has done, told on the group's own page. */
export const groupDoneWords = {
  invited: 'Invitation sent.',
  invited_before: 'This address was invited minutes ago.',
  withdrawn: 'Invitation withdrawn. Its link no longer works.',
  withdrawn_before: 'The invitation was no longer open.',
  role_saved: 'Role saved.',
  removed: 'Member removed.',
  saved: 'Changes saved.',
} as const;

/** What a form has done that leads out of the group, told on the page that is left. */
export const groupEndWords = {
  team: { left: 'You left the team.', deleted: 'Team deleted.' },
  organization: {
    left: 'You left the organization.',
    deleted: 'Organization deleted.',
  },
} as const;

type GroupDone = keyof typeof groupDoneWords | keyof (typeof groupEndWords)['team'];

/** An address that says what was done; `invitation` is the id of the one that it is about. */
export function withDone(path: string, done: GroupDone, invitation?: string): string {
  return `${path}?done=${done}${invitation === undefined ? '' : `&invitation=${invitation}`}`;
}
