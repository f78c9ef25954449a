import { z } from 'zod';

/** What isn't a text to search for counts as none. */
export const searchText = z
  .string()
  .trim()
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text))
  .catch('');
