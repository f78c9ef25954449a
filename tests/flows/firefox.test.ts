import { testJourneys } from './other-browsers.ts';
import { openFirefox } from './web-driver.ts';

await testJourneys(openFirefox);
