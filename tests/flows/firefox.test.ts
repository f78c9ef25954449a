import { openFirefox } from '../support/other-browsers.ts';
import { testJourneys } from './other-browsers.ts';

await testJourneys(openFirefox);
