import { requireVerifiedEmail, settingsPlugin } from '../../accounts/sessions/session.ts';
import { registerAvailability } from './availability.ts';
import { registerCalendarSettings } from './calendars.ts';
import { eventTypesHome, registerEventTypeSettings } from './event-types.ts';

export const schedulingSettingsPlugin = settingsPlugin('scheduling-settings', eventTypesHome, async (app) => {
  app.addHook('preValidation', requireVerifiedEmail);
  await app.register(registerEventTypeSettings);
  await app.register(registerAvailability);
  await app.register(registerCalendarSettings);
});
