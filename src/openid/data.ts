import type { PartData } from '../platform/parts.ts';
import { expiredRequests } from './store.ts';
import * as tables from './tables.ts';

export const openidData = { tables: [tables], expired: [expiredRequests] } as const satisfies PartData;
