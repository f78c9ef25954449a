import { testJourneys } from './other-browsers.ts';
import { openWebkit } from './web-driver.ts';

await testJourneys(openWebkit);
