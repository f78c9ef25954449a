import { z } from 'zod';
import { textOf } from '../../forms.ts';

/** The reviewer's form for a rejection; the owner reads the reason. */
export const rejectionForm = z.object({ reason: textOf(1000) });
