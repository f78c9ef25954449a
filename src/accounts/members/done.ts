/** What a form has done, told on the group's own page. */
export const groupDoneWords = {
  invited: 'The invitation is made, and stands below.',
  invited_before: 'This address was invited minutes ago.',
  withdrawn: 'The invitation is withdrawn. Its link does not work any more.',
  withdrawn_before: 'The invitation was not open any more, so there was nothing to withdraw.',
  role_saved: 'The role is saved.',
  removed: 'This person is not a member any more.',
  saved: 'Your changes are saved.',
} as const;

/** What a form has done that leads out of the group, told on the page that is left. */
export const groupEndWords = {
  team: { left: 'You are not in the team any more.', deleted: 'The team is deleted.' },
  organization: {
    left: 'You are not in the organization any more.',
    deleted: 'The organization is deleted.',
  },
} as const;

type GroupDone = keyof typeof groupDoneWords | keyof (typeof groupEndWords)['team'];

/** An address that says what was done; `invitation` is the id of the one that it is about. */
export function withDone(path: string, done: GroupDone, invitation?: string): string {
  return `${path}?done=${done}${invitation === undefined ? '' : `&invitation=${invitation}`}`;
}
