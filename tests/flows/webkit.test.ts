import { openWebkit } from '../support/other-browsers.ts';
import { testJourneys } from './other-browsers.ts';

await testJourneys(openWebkit);
