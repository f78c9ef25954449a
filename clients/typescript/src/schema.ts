// Written by clients/typescript/generate.ts, from /openapi.json: 256d8145f12765e5d1b799a3b4b7b268c878baa5d686ca617803e31f7ed9f1c8
export interface paths {
    "/v2/auth/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a code or refresh tokens
         * @description Send a form or JSON. A refresh token works once. If you don’t get the response, send the same request again: you get the same new refresh token. With a DPoP header (RFC 9449), the access token is bound to its key.
         */
        post: operations["requestTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/auth/oauth2/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token
         * @description Either token ends the app’s whole access (RFC 7009). Send a form or JSON. An unknown token, or another client’s, gets the same response.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/auth/oauth2/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Introspect a token
         * @description Tells whether a token works now (RFC 7662). Requires a client secret. Send a form or JSON. Any token that you can’t see is inactive.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/auth/oauth2/clients/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an OAuth client
         * @description Works with any valid access token, whatever its scopes.
         */
        get: operations["getOAuthClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the current user */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the current user
         * @description Omitted fields stay unchanged. Only the user can change the email address and the username.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `metadata`, `email`.
         *
         *     </details>
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/v2/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Oldest first. Secrets are never returned: if you find your webhook but have lost its secret, send a new one with PATCH.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Its deliveries go with it; what waits is never sent.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Omitted fields stay unchanged. Turning it on clears its failures. An access token changes the URL and secret only of webhooks that its app created.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v2/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Queues an event with the trigger PING. Its delivery says what your server answered.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description Newest first: what waits, and the last 100 of 7 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery of a webhook
         * @description Sends the same event with the same ID once more, and retries it for a day.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List team webhooks
         * @description Oldest first. Secrets are never returned: if you find your webhook but have lost its secret, send a new one with PATCH.
         */
        get: operations["listTeamWebhooks"];
        put?: never;
        /**
         * Create a team webhook
         * @description <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        post: operations["createTeamWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a team webhook */
        get: operations["getTeamWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a team webhook
         * @description Its deliveries go with it; what waits is never sent.
         */
        delete: operations["deleteTeamWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a team webhook
         * @description Omitted fields stay unchanged. Turning it on clears its failures. An access token changes the URL and secret only of webhooks that its app created.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        patch: operations["updateTeamWebhook"];
        trace?: never;
    };
    "/v2/teams/{teamId}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a team webhook
         * @description Queues an event with the trigger PING. Its delivery says what your server answered.
         */
        post: operations["testTeamWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a team webhook
         * @description Newest first: what waits, and the last 100 of 7 days.
         */
        get: operations["listTeamWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery of a team webhook
         * @description Sends the same event with the same ID once more, and retries it for a day.
         */
        post: operations["resendTeamWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/event-types/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event type webhooks
         * @description Oldest first. Secrets are never returned: if you find your webhook but have lost its secret, send a new one with PATCH.
         */
        get: operations["listEventTypeWebhooks"];
        put?: never;
        /**
         * Create an event type webhook
         * @description <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        post: operations["createEventTypeWebhook"];
        /** Delete all event type webhooks */
        delete: operations["deleteAllEventTypeWebhooks"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/event-types/{id}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an event type webhook */
        get: operations["getEventTypeWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete an event type webhook
         * @description Its deliveries go with it; what waits is never sent.
         */
        delete: operations["deleteEventTypeWebhook"];
        options?: never;
        head?: never;
        /**
         * Update an event type webhook
         * @description Omitted fields stay unchanged. Turning it on clears its failures. An access token changes the URL and secret only of webhooks that its app created.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        patch: operations["updateEventTypeWebhook"];
        trace?: never;
    };
    "/v2/event-types/{id}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to an event type webhook
         * @description Queues an event with the trigger PING. Its delivery says what your server answered.
         */
        post: operations["testEventTypeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/event-types/{id}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of an event type webhook
         * @description Newest first: what waits, and the last 100 of 7 days.
         */
        get: operations["listEventTypeWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/event-types/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery of an event type webhook
         * @description Sends the same event with the same ID once more, and retries it for a day.
         */
        post: operations["resendEventTypeWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description The teams that the user is a member of, by name; or the one that the token is for.
         */
        get: operations["listTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a team */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memberships of a team
         * @description Owners first, members last, each by name. Managed users aren’t listed. Only owners and admins get email addresses.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `emails`.
         *
         *     </details>
         */
        get: operations["listTeamMemberships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bookings of a team
         * @description Only for owners and admins of the team. Filters as in `GET /v2/bookings`.
         */
        get: operations["listTeamBookings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules of a team
         * @description The default schedules of its members, which the team’s event types use; members without one have Monday to Friday, 9:00 to 17:00. Only for owners and admins of the team.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `eventTypeId`.
         *
         *     </details>
         */
        get: operations["listTeamSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description With `username` or `usernames`, lists the public event types of these users, each their own, and needs no token. Without them, lists all event types of the token’s user or team, including hidden ones.
         */
        get: operations["listEventTypes"];
        put?: never;
        /**
         * Create an event type
         * @description <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `allowReschedulingCancelledBookings`, `allowReschedulingPastBookings`, `bookingRequiresAuthentication`, `bookerActiveBookingsLimit`, `bookingLimitsCount.week`, `bookingLimitsCount.month`, `bookingLimitsCount.year`, `bookingLimitsDuration`, `requiresBookerEmailVerification`, `confirmationPolicy.blockUnconfirmedBookingsInBooker`, `customName`, `destinationCalendar`, `disableCancelling.disabled`, `disableRescheduling.disabled`, `disableRescheduling.minutesBefore`, `hideCalendarEventDetails`, `hideCalendarNotes`, `offsetStart`, `onlyShowFirstAvailableSlot`, `recurrence`, `seats`, `seatsPerTimeSlot`, `showOptimizedSlots`, `successRedirectUrl`, `useDestinationCalendarEmail`. Names of other versions that are rejected: `length` (send `lengthInMinutes`).
         *
         *     </details>
         */
        post: operations["createEventType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams/{teamId}/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types of a team
         * @description Only for members of the team.
         */
        get: operations["listTeamEventTypes"];
        put?: never;
        /**
         * Create a team event type
         * @description Only for owners and admins of the team. Hosts must be members of the team.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `allowReschedulingCancelledBookings`, `allowReschedulingPastBookings`, `bookingRequiresAuthentication`, `bookerActiveBookingsLimit`, `bookingLimitsCount.week`, `bookingLimitsCount.month`, `bookingLimitsCount.year`, `bookingLimitsDuration`, `requiresBookerEmailVerification`, `confirmationPolicy.blockUnconfirmedBookingsInBooker`, `customName`, `destinationCalendar`, `disableCancelling.disabled`, `disableRescheduling.disabled`, `disableRescheduling.minutesBefore`, `hideCalendarEventDetails`, `hideCalendarNotes`, `offsetStart`, `onlyShowFirstAvailableSlot`, `recurrence`, `seats`, `seatsPerTimeSlot`, `showOptimizedSlots`, `successRedirectUrl`, `useDestinationCalendarEmail`, `assignAllTeamMembers`, `emailSettings.disableStandardEmailsToAttendees`, `emailSettings.disableStandardEmailsToHosts`, `hosts.mandatory`, `hosts.priority`, `hosts.weight`, `rescheduleWithSameRoundRobinHost`, `rrHostSubsetEnabled`, `scheduleId`. Names of other versions that are rejected: `length` (send `lengthInMinutes`).
         *
         *     </details>
         */
        post: operations["createTeamEventType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/event-types/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an event type */
        get: operations["getEventType"];
        put?: never;
        post?: never;
        /**
         * Delete an event type
         * @description Existing bookings are kept.
         */
        delete: operations["deleteEventType"];
        options?: never;
        head?: never;
        /**
         * Update an event type
         * @description Omitted fields stay unchanged. `hosts` and `schedulingType` apply to team event types, `scheduleId` to event types of users.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `allowReschedulingCancelledBookings`, `allowReschedulingPastBookings`, `bookingRequiresAuthentication`, `bookerActiveBookingsLimit`, `bookingLimitsCount.week`, `bookingLimitsCount.month`, `bookingLimitsCount.year`, `bookingLimitsDuration`, `requiresBookerEmailVerification`, `confirmationPolicy.blockUnconfirmedBookingsInBooker`, `customName`, `destinationCalendar`, `disableCancelling.disabled`, `disableRescheduling.disabled`, `disableRescheduling.minutesBefore`, `hideCalendarEventDetails`, `hideCalendarNotes`, `offsetStart`, `onlyShowFirstAvailableSlot`, `recurrence`, `seats`, `seatsPerTimeSlot`, `showOptimizedSlots`, `successRedirectUrl`, `useDestinationCalendarEmail`, `assignAllTeamMembers`, `emailSettings.disableStandardEmailsToAttendees`, `emailSettings.disableStandardEmailsToHosts`, `hosts.mandatory`, `hosts.priority`, `hosts.weight`, `rescheduleWithSameRoundRobinHost`, `rrHostSubsetEnabled`. Names of other versions that are rejected: `length` (send `lengthInMinutes`).
         *
         *     </details>
         */
        patch: operations["updateEventType"];
        trace?: never;
    };
    "/v2/teams/{teamId}/event-types/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a team event type */
        get: operations["getTeamEventType"];
        put?: never;
        post?: never;
        /**
         * Delete a team event type
         * @description Existing bookings are kept.
         */
        delete: operations["deleteTeamEventType"];
        options?: never;
        head?: never;
        /**
         * Update a team event type
         * @description Omitted fields stay unchanged. `hosts` and `schedulingType` apply to team event types, `scheduleId` to event types of users.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `allowReschedulingCancelledBookings`, `allowReschedulingPastBookings`, `bookingRequiresAuthentication`, `bookerActiveBookingsLimit`, `bookingLimitsCount.week`, `bookingLimitsCount.month`, `bookingLimitsCount.year`, `bookingLimitsDuration`, `requiresBookerEmailVerification`, `confirmationPolicy.blockUnconfirmedBookingsInBooker`, `customName`, `destinationCalendar`, `disableCancelling.disabled`, `disableRescheduling.disabled`, `disableRescheduling.minutesBefore`, `hideCalendarEventDetails`, `hideCalendarNotes`, `offsetStart`, `onlyShowFirstAvailableSlot`, `recurrence`, `seats`, `seatsPerTimeSlot`, `showOptimizedSlots`, `successRedirectUrl`, `useDestinationCalendarEmail`, `assignAllTeamMembers`, `emailSettings.disableStandardEmailsToAttendees`, `emailSettings.disableStandardEmailsToHosts`, `hosts.mandatory`, `hosts.priority`, `hosts.weight`, `rescheduleWithSameRoundRobinHost`, `rrHostSubsetEnabled`. Names of other versions that are rejected: `length` (send `lengthInMinutes`).
         *
         *     </details>
         */
        patch: operations["updateTeamEventType"];
        trace?: never;
    };
    "/v2/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List schedules */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Create a schedule
         * @description The first schedule becomes the default.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Names of other versions that are rejected: `availabilities` (send `availability`).
         *
         *     </details>
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/schedules/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the default schedule
         * @description Managed users don’t have a schedule until one is created. Their availability is Monday to Friday, 09:00 to 17:00, in their time zone.
         */
        get: operations["getDefaultSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a schedule */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description If it was the default, the oldest remaining schedule becomes the default.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Update a schedule
         * @description Omitted fields stay unchanged. To change the default schedule, set `isDefault` on another schedule.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Names of other versions that are rejected: `dateOverrides` (send `overrides`), `schedule` (send `availability`).
         *
         *     </details>
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/v2/calendars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected calendars
         * @description Calendars are part of availability, so they use the scopes of schedules. Addresses and credentials are never returned.
         */
        get: operations["listCalendars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/ics-feed/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect ICS feeds
         * @description Calendars are part of availability, so they use the scopes of schedules. Each feed is read before it is saved. Connecting the same feeds again renames the calendar.
         */
        post: operations["saveIcsFeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect a CalDAV account
         * @description Calendars are part of availability, so they use the scopes of schedules. The account is read before it is saved. Connecting the same account again updates the password.
         */
        post: operations["saveCaldavCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/ics-feed/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check connected ICS feeds
         * @description Calendars are part of availability, so they use the scopes of schedules. Reads the coming day of all calendars of a kind.
         */
        get: operations["checkIcsFeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check connected calendars
         * @description Calendars are part of availability, so they use the scopes of schedules. Reads the coming day of all calendars of a kind.
         */
        get: operations["checkCalendars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disconnect a calendar
         * @description Deletes its address and credentials. Its events no longer block bookings.
         */
        post: operations["disconnectCalendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/busy-times": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List busy times of connected calendars
         * @description Calendars are part of availability, so they use the scopes of schedules. Calendars are cached for a minute.
         */
        get: operations["listBusyTimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/destination-calendars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose the calendar for bookings
         * @description Bookings that the user hosts are written to this calendar of a CalDAV account, from now on. If you choose it for a user, they are written while your access with both scopes lasts.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `delegationCredentialId`.
         *
         *     </details>
         */
        put: operations["updateDestinationCalendar"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/organizations/{organizationId}/teams/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types of an organization’s teams
         * @description Only for members of the organization. Owners and admins also get hidden event types.
         */
        get: operations["listOrganizationTeamsEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bookings
         * @description The user’s bookings as a host; with a team’s token, the team’s bookings. In default order, by creation, and with sortCreated=asc, pages stay stable while bookings are added; with other orders you may see duplicates. Filters are combined with AND.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `userIds`.
         *
         *     </details>
         */
        get: operations["listBookings"];
        put?: never;
        /**
         * Create a booking
         * @description Callers who don’t host the booking get no email addresses of hosts, but `links` and `bookingToken`, with which the attendee can reschedule and cancel.
         *
         *     Public, like booking pages. With an Idempotency-Key you can retry the same request for a day, with a token of the same user and app, or without one from the same network: it books once, and retries return that booking in its current state, without `links` and `bookingToken` if there is no token. Where hosts take turns, the same request counts as a retry without a key, too. Reservations don’t block bookings; release yours afterwards.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `organizationSlug`, `instant`, `recurrenceCount`, `allowBookingOutOfBounds`, `allowConflicts`, `skipBookingLimits`, `routedTeamMemberIds`, `routingFormResponseId`, `rrHostSubsetIds`, `teamMemberEmail`, `_isDryRun`, `bookingUid`, `hasHashedBookingLink`, `hashedLink`, `orgSlug`, `rescheduleUid`, `reroutingFormResponses`, `routing`, `seatReferenceUid`. Names of other versions that are rejected: `end` (send `lengthInMinutes`), `language` (send `attendee.language`), `locationUrl` (send `location`), `responses` (send `bookingFieldsResponses`), `timeZone` (send `attendee.timeZone`), `user` (send `username`).
         *
         *     </details>
         */
        post: operations["createBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a booking
         * @description Hosts get all of it, attendees what their page shows.
         *
         *     Attendees call it with `x-booking-token` instead of an access token.
         */
        get: operations["getBooking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}/calendar-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get calendar links of a booking
         * @description Addresses that add the booking to a calendar; empty until it is confirmed, and once it has ended. Attendees call it with `x-booking-token` instead of an access token.
         */
        get: operations["getBookingCalendarLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a booking
         * @description Attendees call it with `x-booking-token` instead of an access token.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `allRemainingBookings`, `cancelSubsequentBookings`, `seatReferenceUid`, `seatUid`.
         *
         *     </details>
         */
        post: operations["cancelBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a pending booking */
        post: operations["confirmBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline a pending booking */
        post: operations["declineBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}/reschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reschedule a booking
         * @description Returns the booking that replaces it: a new one with its own uid. The former booking is cancelled, even if the time stays the same. If a host or the team chose the time, the new booking is accepted immediately.
         *
         *     Attendees call it with `x-booking-token` instead of an access token. The new booking has a token of its own.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `allowBookingOutOfBounds`, `allowConflicts`, `skipBookingLimits`, `rescheduleWithSameHost`, `rrHostSubsetIds`, `seatUid`.
         *
         *     </details>
         */
        post: operations["rescheduleBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reassign a round robin booking to the next available host */
        post: operations["reassignBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bookings/{uid}/reassign/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reassign a round robin booking to a host
         * @description The user must host the event type and have no other booking at that time. Working hours are ignored.
         */
        post: operations["reassignBookingToUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/slots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List slots
         * @description The free start times of an event type, by day in `timeZone`. Long ranges with many hosts count as several requests.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `routedTeamMemberIds`, `routingFormResponseId`, `rrHostSubsetIds`, `teamMemberEmail`, `_bypassCalendarBusyTimes`. Names of other versions that are rejected: `orgSlug` (send `organizationSlug`), `rescheduleUid` (send `bookingUidToReschedule`).
         *
         *     </details>
         */
        get: operations["listSlots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/slots/available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List slots (legacy format)
         * @description The free start times of an event type, by day, as Cal.com’s older versions answer. In version 2024-09-04, it isn’t found. Long ranges with many hosts count as several requests.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `routedTeamMemberIds`, `routingFormResponseId`, `rrHostSubsetIds`, `teamMemberEmail`, `_bypassCalendarBusyTimes`. Names of other versions that are rejected: `orgSlug` (send `organizationSlug`), `rescheduleUid` (send `bookingUidToReschedule`).
         *
         *     </details>
         */
        get: operations["listAvailableSlots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/slots/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve a slot
         * @description Hides the slot from lists and from other reservations for some minutes, for example while a user fills in a form. A reservation does not block bookings: the first booking gets the slot. Release it once the slot is booked, or a round robin keeps hiding another host.
         */
        post: operations["reserveSlot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/slots/reservations/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a reserved slot */
        get: operations["getReservation"];
        put?: never;
        post?: never;
        /**
         * Release a reserved slot
         * @description Release it when the user gives up, or once the slot is booked.
         */
        delete: operations["releaseSlot"];
        options?: never;
        head?: never;
        /**
         * Change a reserved slot
         * @description Reserves another slot, length or event type under the same `reservationUid`, or the same slot for longer, by the rules of a new reservation. If it’s refused, the reservation stays as it was.
         */
        patch: operations["updateReservation"];
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List app webhooks
         * @description Oldest first. Secrets are never returned: if you find your webhook but have lost its secret, send a new one with PATCH.
         */
        get: operations["listAppWebhooks"];
        put?: never;
        /**
         * Create an app webhook
         * @description <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        post: operations["createAppWebhook"];
        /** Delete all app webhooks */
        delete: operations["deleteAllAppWebhooks"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an app webhook */
        get: operations["getAppWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete an app webhook
         * @description Its deliveries go with it; what waits is never sent.
         */
        delete: operations["deleteAppWebhook"];
        options?: never;
        head?: never;
        /**
         * Update an app webhook
         * @description Omitted fields stay unchanged. Turning it on clears its failures. An access token changes the URL and secret only of webhooks that its app created.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `payloadTemplate`. Names of other versions that are rejected: `eventTriggers` (send `triggers`).
         *
         *     </details>
         */
        patch: operations["updateAppWebhook"];
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to an app webhook
         * @description Queues an event with the trigger PING. Its delivery says what your server answered.
         */
        post: operations["testAppWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of an app webhook
         * @description Newest first: what waits, and the last 100 of 7 days.
         */
        get: operations["listAppWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery of an app webhook
         * @description Sends the same event with the same ID once more, and retries it for a day.
         */
        post: operations["resendAppWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List managed users */
        get: operations["listManagedUsers"];
        put?: never;
        /**
         * Create a managed user
         * @description Returns the user with its tokens. Managed users have no password and no public booking page; they act only through the client. They get no email about their bookings. Refresh their tokens at POST /v2/auth/oauth2/token with the grant_type `refresh_token`; there is no /v2/oauth/{clientId}/refresh.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `metadata`.
         *
         *     </details>
         */
        post: operations["createManagedUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a managed user */
        get: operations["getManagedUser"];
        put?: never;
        post?: never;
        /**
         * Delete a managed user
         * @description Revokes its tokens; it and its event types can’t be booked any more. Upcoming bookings it hosts are cancelled and attendees are notified, the next ones first, as far as 300 emails an hour go; round-robin bookings are reassigned to another free host. Its other bookings are deleted after 30 days.
         */
        delete: operations["deleteManagedUser"];
        options?: never;
        head?: never;
        /**
         * Update a managed user
         * @description Omitted fields stay unchanged.
         *
         *     <details><summary>Coming from Cal.com</summary>
         *
         *     Cal.com’s fields that are rejected unless they are off: `metadata`.
         *
         *     </details>
         */
        patch: operations["updateManagedUser"];
        trace?: never;
    };
    "/v2/oauth-clients/{clientId}/users/{userId}/force-refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reissue the tokens of a managed user
         * @description For clients that lost them. The previous tokens are revoked.
         */
        post: operations["forceRefreshManagedUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/auth/oauth2/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who signed in
         * @description OpenID Connect Core, section 5.3. The scope profile adds name, username, time zone and language, and email the email address. The answer is flat.
         */
        get: operations["getUserinfo"];
        put?: never;
        /**
         * Get who signed in, by POST
         * @description OpenID Connect Core, section 5.3. The scope profile adds name, username, time zone and language, and email the email address. The answer is flat.
         */
        post: operations["postUserinfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "type": "address",
         *       "address": "text"
         *     }
         */
        AddressLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "address";
            /** @description Where it is. */
            address: string;
            /**
             * @description Whether people see it before they book; those who booked always do.
             * @default false
             */
            public?: boolean;
        };
        /**
         * @example {
         *       "status": "error",
         *       "timestamp": "2030-01-07T09:00:00.000Z",
         *       "path": "/v2/unknown",
         *       "error": {
         *         "code": "NotFound",
         *         "message": "There is no GET operation at this path.",
         *         "details": {}
         *       }
         *     }
         */
        ApiError: {
            /** @constant */
            status: "error";
            /** Format: date-time */
            timestamp: string;
            /** @description The path of the request. */
            path: string;
            error: {
                /** @description Stable name, for programs. */
                code: string;
                /** @description Message for people. */
                message: string;
                /** @description What is wrong with each invalid field. */
                details: {
                    [key: string]: string;
                };
            };
        };
        /**
         * @example {
         *       "active": false
         *     }
         */
        AppWebhookChanges: {
            /**
             * Format: uri
             * @description Where events are sent: an https address on the public internet.
             * @example https://app.example/webhooks
             */
            subscriberUrl?: string;
            /** @description Whether events are sent. */
            active?: boolean;
            /**
             * @description The key of the signatures: `whsec_` and 32 random bytes in base64 for Standard Webhooks’ `webhook-signature`, anything else for Cal.com’s `X-Cal-Signature-256` alone. It is stored encrypted and never returned again; a client that has lost it sends a new one.
             * @example whsec_bWFrZSAzMiByYW5kb20gYnl0ZXMgb2YgeW91ciBvd24=
             */
            secret?: string;
            /**
             * @description The layout of payloads. There is one.
             * @constant
             */
            version?: "2021-10-20";
            /**
             * @description The events to send.
             * @example [
             *       "ACCESS_GRANTED"
             *     ]
             */
            triggers?: components["schemas"]["AppWebhookTrigger"][];
        };
        /**
         * @example BOOKING_CREATED
         * @enum {string}
         */
        AppWebhookTrigger: "BOOKING_CREATED" | "BOOKING_REQUESTED" | "BOOKING_RESCHEDULED" | "BOOKING_CANCELLED" | "BOOKING_REJECTED" | "BOOKING_CONFIRMED" | "MEETING_STARTED" | "MEETING_ENDED" | "ACCESS_GRANTED" | "ACCESS_REMOVED";
        /**
         * @example {
         *       "type": "attendeeAddress"
         *     }
         */
        AttendeeAddressLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attendeeAddress";
        };
        /**
         * @example {
         *       "type": "attendeeDefined"
         *     }
         */
        AttendeeDefinedLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attendeeDefined";
        };
        /**
         * @example {
         *       "type": "attendeePhone"
         *     }
         */
        AttendeePhoneLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attendeePhone";
        };
        /**
         * @example {
         *       "type": "attendeeAddress",
         *       "address": "text"
         *     }
         */
        AttendeesAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attendeeAddress";
            /** @description What the attendee says. */
            address: string;
        };
        /**
         * @example {
         *       "type": "attendeePhone",
         *       "phone": "+49 30 123456"
         *     }
         */
        AttendeesPhone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attendeePhone";
            /**
             * @description What the attendee says.
             * @example +49 30 123456
             */
            phone: string;
        };
        /**
         * @example {
         *       "type": "attendeeDefined",
         *       "location": "text"
         *     }
         */
        AttendeesPlace: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attendeeDefined";
            /** @description What the attendee says. */
            location: string;
        };
        /**
         * @example {
         *       "slots": {
         *         "2030-01-07": [
         *           {
         *             "time": "2030-01-07T09:00:00.000+01:00"
         *           }
         *         ]
         *       }
         *     }
         */
        AvailableSlots: {
            /** @description Slots by date, in the requested time zone. */
            slots: {
                [key: string]: {
                    /** Format: date-time */
                    time?: string;
                    /** Format: date-time */
                    startTime?: string;
                    /** Format: date-time */
                    endTime?: string;
                }[];
            };
        };
        /**
         * @example {
         *       "type": "address"
         *     }
         */
        BookedAddress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "address";
            /** @description Chooses among several of this type. */
            address?: string;
        };
        /**
         * @example {
         *       "type": "link"
         *     }
         */
        BookedLink: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "link";
            /**
             * Format: uri
             * @description Chooses among several of this type.
             */
            link?: string;
        };
        /**
         * @example {
         *       "type": "address"
         *     }
         */
        BookedLocationChoice: components["schemas"]["BookedAddress"] | components["schemas"]["BookedLink"] | components["schemas"]["BookedPhone"] | components["schemas"]["AttendeesAddress"] | components["schemas"]["AttendeesPhone"] | components["schemas"]["AttendeesPlace"];
        /**
         * @example {
         *       "type": "phone",
         *       "phone": "+49 30 123456"
         *     }
         */
        BookedPhone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "phone";
            /**
             * @description Chooses among several of this type.
             * @example +49 30 123456
             */
            phone?: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "uid": "4f9c2e71b0d85a3369fe1c2d",
         *       "title": "30 minutes between Ann Smith and Bob Jones",
         *       "description": "",
         *       "status": "accepted",
         *       "start": "2030-01-07T09:00:00.000Z",
         *       "end": "2030-01-07T09:30:00.000Z",
         *       "duration": 30,
         *       "eventTypeId": 1,
         *       "eventType": {
         *         "id": 1,
         *         "slug": "30min"
         *       },
         *       "hosts": [
         *         {
         *           "id": 1,
         *           "name": "Ann Smith",
         *           "email": "ann@example.com",
         *           "displayEmail": "ann@example.com",
         *           "username": "ann",
         *           "timeZone": "Europe/Berlin"
         *         }
         *       ],
         *       "attendees": [
         *         {
         *           "name": "Bob Jones",
         *           "email": "bob@example.com",
         *           "displayEmail": "bob@example.com",
         *           "timeZone": "Europe/Rome",
         *           "language": "en",
         *           "absent": false
         *         }
         *       ],
         *       "location": "Main St 1, Springfield",
         *       "guests": [
         *         "carol@example.com"
         *       ],
         *       "bookingFieldsResponses": {},
         *       "metadata": {},
         *       "absentHost": false,
         *       "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
         *       "createdAt": "2030-01-02T12:00:00.000Z",
         *       "updatedAt": "2030-01-02T12:00:00.000Z"
         *     }
         */
        Booking: {
            id: number;
            /** @example 4f9c2e71b0d85a3369fe1c2d */
            uid: string;
            /** @example 30 minutes between Ann Smith and Bob Jones */
            title: string;
            /** @example  */
            description: string;
            /** @description pending: a host has to confirm it. */
            status: components["schemas"]["BookingStatus"];
            /**
             * Format: date-time
             * @example 2030-01-07T09:00:00.000Z
             */
            start: string;
            /**
             * Format: date-time
             * @example 2030-01-07T09:30:00.000Z
             */
            end: string;
            /**
             * @description Duration in minutes.
             * @example 30
             */
            duration: number;
            /** @description null: the event type was deleted. */
            eventTypeId: number | null;
            /** @description null: the event type was deleted. */
            eventType: {
                id: number;
                /** @example 30min */
                slug: string;
            } | null;
            /** @description The hosts. Their email addresses are for hosts and team managers, and empty for others. */
            hosts: {
                id: number;
                /** @example Ann Smith */
                name: string;
                /**
                 * @description Email address as stored.
                 * @example ann@example.com
                 */
                email: string;
                /**
                 * @description Email address as people know it.
                 * @example ann@example.com
                 */
                displayEmail: string;
                /** @example ann */
                username: string | null;
                /** @example Europe/Berlin */
                timeZone: string;
            }[];
            /** @description The attendee who booked. */
            attendees: {
                /** @example Bob Jones */
                name: string;
                /**
                 * Format: email
                 * @description Email address as stored.
                 * @example bob@example.com
                 */
                email: string;
                /**
                 * Format: email
                 * @description Email address as people know it, without a managed user’s suffix.
                 * @example bob@example.com
                 */
                displayEmail: string;
                /** @example Europe/Rome */
                timeZone: string;
                /** @example en */
                language: string;
                phoneNumber?: string;
                /**
                 * @description Always false; absences aren’t tracked.
                 * @constant
                 */
                absent: false;
            }[];
            /**
             * @description Where it takes place: an address, a link, a phone number, or what the attendee said. Empty if nothing was said.
             * @example Main St 1, Springfield
             */
            location: string;
            /**
             * Format: uri
             * @description The location, if it is a link.
             */
            meetingUrl?: string;
            /** @description Email addresses of guests. */
            guests: string[];
            /** @description Answers to the booking questions, with the attendee’s name and addresses. */
            bookingFieldsResponses: {
                [key: string]: unknown;
            };
            /** @description Own data of the app that booked. */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Always false; absences aren’t tracked.
             * @constant
             */
            absentHost: false;
            /** @description Reason for cancelling or declining, if given. */
            cancellationReason?: string;
            /** @description Reason for rescheduling, if given: on both the former and the new booking. */
            reschedulingReason?: string;
            /** @description Reason for reassigning, if given. */
            reassignmentReason?: string;
            /** @description Who cancelled it. Hosts’ addresses are for hosts and team managers. */
            cancelledByEmail?: string;
            /** @description Who replaced it by another booking. Hosts’ addresses are for hosts and team managers. */
            rescheduledByEmail?: string;
            /** @description The booking that this one replaced. */
            rescheduledFromUid?: string;
            /** @description The booking that replaced this one. */
            rescheduledToUid?: string;
            /**
             * @description UID in calendars (RFC 5545).
             * @example 4f9c2e71b0d85a3369fe1c2d@latchkey
             */
            icsUid: string;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            updatedAt: string;
            /** @description For attendees: send it as `x-booking-token`, instead of an access token. Keep it secret. */
            bookingToken?: string;
            /** @description For attendees: their private pages of the booking. */
            links?: {
                /**
                 * Format: uri
                 * @description To see it.
                 * @example https://cal.example/booking/4f9c2e71b0d85a3369fe1c2d/a-token
                 */
                view: string;
                /**
                 * Format: uri
                 * @description To cancel it.
                 * @example https://cal.example/booking/4f9c2e71b0d85a3369fe1c2d/a-token/cancel
                 */
                cancel: string;
                /**
                 * Format: uri
                 * @description To choose another time.
                 * @example https://cal.example/booking/4f9c2e71b0d85a3369fe1c2d/a-token/reschedule
                 */
                reschedule: string;
            };
        };
        /**
         * @example text
         * @enum {string}
         */
        BookingFieldType: "text" | "textarea" | "number" | "phone" | "address" | "url" | "multiemail" | "select" | "radio" | "multiselect" | "checkbox" | "boolean";
        /**
         * @example accepted
         * @enum {string}
         */
        BookingStatus: "accepted" | "pending" | "cancelled" | "rejected";
        /**
         * @example calendarDays
         * @enum {string}
         */
        BookingWindowType: "calendarDays" | "businessDays" | "range";
        /**
         * @example {
         *       "start": "2030-01-07T09:00:00.000+01:00",
         *       "end": "2030-01-07T10:00:00.000+01:00",
         *       "source": "Work"
         *     }
         */
        BusyTime: {
            /**
             * Format: date-time
             * @description Date-time in the requested time zone.
             * @example 2030-01-07T09:00:00.000+01:00
             */
            start: string;
            /**
             * Format: date-time
             * @description Date-time in the requested time zone.
             * @example 2030-01-07T10:00:00.000+01:00
             */
            end: string;
            /**
             * @description Name of the calendar.
             * @example Work
             */
            source: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "kind": "ics_feed",
         *       "name": "Work",
         *       "createdAt": "2030-01-02T12:00:00.000Z"
         *     }
         */
        Calendar: {
            id: number;
            /** @description `ics_feed`: one or more feeds. `caldav`: the calendars of an account. */
            kind: components["schemas"]["CalendarKind"];
            /**
             * @description Display name.
             * @example Work
             */
            name: string;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "kind": "ics_feed",
         *       "name": "Work",
         *       "createdAt": "2030-01-02T12:00:00.000Z",
         *       "credentialId": 1,
         *       "integration": {
         *         "type": "caldav_calendar",
         *         "name": "CalDAV",
         *         "title": "CalDAV",
         *         "slug": "caldav",
         *         "description": "text",
         *         "variant": "text",
         *         "categories": [
         *           "text"
         *         ],
         *         "publisher": "text",
         *         "logo": "text",
         *         "url": "text",
         *         "email": "text",
         *         "locationOption": null
         *       },
         *       "calendars": [
         *         {
         *           "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
         *           "name": "Work",
         *           "integration": "caldav_calendar",
         *           "credentialId": 1,
         *           "primary": false,
         *           "readOnly": false,
         *           "isSelected": false
         *         }
         *       ]
         *     }
         */
        CalendarConnection: {
            id: number;
            /** @description `ics_feed`: one or more feeds. `caldav`: the calendars of an account. */
            kind: components["schemas"]["CalendarKind"];
            /**
             * @description Display name.
             * @example Work
             */
            name: string;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            createdAt: string;
            /** @description The same as `id`. */
            credentialId: number;
            integration: components["schemas"]["CalendarIntegration"];
            primary?: components["schemas"]["ConnectedCalendar"];
            calendars: components["schemas"]["ConnectedCalendar"][];
        };
        /**
         * @example {
         *       "type": "caldav_calendar",
         *       "name": "CalDAV",
         *       "title": "CalDAV",
         *       "slug": "caldav",
         *       "description": "text",
         *       "variant": "text",
         *       "categories": [
         *         "text"
         *       ],
         *       "publisher": "text",
         *       "logo": "text",
         *       "url": "text",
         *       "email": "text",
         *       "locationOption": null
         *     }
         */
        CalendarIntegration: {
            /**
             * @description The kind, as Cal.com names it.
             * @example caldav_calendar
             */
            type: string;
            /** @example CalDAV */
            name: string;
            /** @example CalDAV */
            title: string;
            /** @example caldav */
            slug: string;
            /** @description Empty. */
            description: string;
            /** @description Always `calendar`. */
            variant: string;
            /** @description Always `calendar`. */
            categories: string[];
            /** @description Always `Latchkey`. */
            publisher: string;
            /** @description Empty. */
            logo: string;
            /** @description Empty. */
            url: string;
            /** @description Empty. */
            email: string;
            /**
             * @description Always null.
             * @example null
             */
            locationOption: string | null;
        };
        /**
         * @example ics_feed
         * @enum {string}
         */
        CalendarKind: "ics_feed" | "caldav";
        /**
         * @example {
         *       "cancellationReason": "I am ill."
         *     }
         */
        Cancellation: {
            /** @description Reason, shown on the booking’s page and in emails to hosts. */
            cancellationReason?: string;
        };
        /**
         * @example confidential
         * @enum {string}
         */
        ClientType: "confidential" | "public";
        /**
         * @example {
         *       "client_id": "5f0c1d2e3b4a59687786951423324150",
         *       "client_secret": "lks_your_client_secret",
         *       "grant_type": "authorization_code",
         *       "code": "lkc_the_code_that_came_back",
         *       "redirect_uri": "https://app.example/callback"
         *     }
         */
        CodeExchange: {
            /** @description Required unless you use HTTP Basic. */
            client_id?: string;
            /** @description Required for confidential clients unless you use HTTP Basic. Public clients have none. */
            client_secret?: string;
            /** @constant */
            grant_type: "authorization_code";
            /** @description Works once, within a minute. */
            code: string;
            /** @description Narrows the access token to a resource that the user approved. Send the field again for each further one; in JSON, an array (RFC 8707). */
            resource?: string;
            /** @description The same as in the authorization request. */
            redirect_uri: string;
            /** @description Required for public clients, and if you sent a code_challenge (RFC 7636). */
            code_verifier?: string;
        };
        /**
         * @example {
         *       "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
         *       "name": "Work",
         *       "integration": "caldav_calendar",
         *       "credentialId": 1,
         *       "primary": false,
         *       "readOnly": false,
         *       "isSelected": false
         *     }
         */
        ConnectedCalendar: {
            /**
             * @description Opaque: never the address.
             * @example Qm5vZ1ZhbHVlT2ZBbnk
             */
            externalId: string;
            /** @example Work */
            name: string;
            /**
             * @description The kind, as Cal.com names it.
             * @example caldav_calendar
             */
            integration: string;
            /** @description The ID of the connection. */
            credentialId: number;
            /** @description Whether it is the first of the connection. */
            primary: boolean;
            /** @description Whether bookings can’t be written to it. */
            readOnly: boolean;
            /** @description Whether it blocks bookings: all do but those that were set as free when they were connected. */
            isSelected: boolean;
        };
        /**
         * @example {
         *       "connectedCalendars": [
         *         {
         *           "id": 1,
         *           "kind": "ics_feed",
         *           "name": "Work",
         *           "createdAt": "2030-01-02T12:00:00.000Z",
         *           "credentialId": 1,
         *           "integration": {
         *             "type": "caldav_calendar",
         *             "name": "CalDAV",
         *             "title": "CalDAV",
         *             "slug": "caldav",
         *             "description": "text",
         *             "variant": "text",
         *             "categories": [
         *               "text"
         *             ],
         *             "publisher": "text",
         *             "logo": "text",
         *             "url": "text",
         *             "email": "text",
         *             "locationOption": null
         *           },
         *           "calendars": [
         *             {
         *               "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
         *               "name": "Work",
         *               "integration": "caldav_calendar",
         *               "credentialId": 1,
         *               "primary": false,
         *               "readOnly": false,
         *               "isSelected": false
         *             }
         *           ]
         *         }
         *       ],
         *       "destinationCalendar": {
         *         "id": 1,
         *         "integration": "caldav_calendar",
         *         "credentialId": 1,
         *         "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
         *         "name": "Work",
         *         "userId": 1,
         *         "eventTypeId": null,
         *         "primaryEmail": null
         *       }
         *     }
         */
        ConnectedCalendars: {
            connectedCalendars: components["schemas"]["CalendarConnection"][];
            /** @description Where bookings are written; null: nowhere. */
            destinationCalendar: components["schemas"]["DestinationCalendar"] | null;
        };
        /**
         * @example {
         *       "user": {
         *         "id": 1,
         *         "email": "alice+4f9c2e71b0d85a3369fe1c2d7@example.com",
         *         "displayEmail": "alice@example.com",
         *         "username": null,
         *         "name": "Alice Smith",
         *         "timeZone": "Europe/Rome",
         *         "weekStart": "Monday",
         *         "timeFormat": 12,
         *         "defaultScheduleId": null,
         *         "createdDate": "2030-01-07T09:00:00.000Z"
         *       },
         *       "accessToken": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example",
         *       "accessTokenExpiresAt": 1893403800000,
         *       "refreshToken": "lkr_the_first_refresh_token",
         *       "refreshTokenExpiresAt": 1895994000000
         *     }
         */
        CreatedManagedUser: {
            user: components["schemas"]["ManagedUser"];
            /**
             * @description Send it as `Authorization: Bearer`.
             * @example eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example
             */
            accessToken: string;
            /**
             * @description Milliseconds since 1970.
             * @example 1893403800000
             */
            accessTokenExpiresAt: number;
            /**
             * @description Use it for the next tokens at POST /v2/auth/oauth2/token.
             * @example lkr_the_first_refresh_token
             */
            refreshToken: string;
            /**
             * @description Milliseconds since 1970, unless it is used before.
             * @example 1895994000000
             */
            refreshTokenExpiresAt: number;
        };
        /**
         * @example {
         *       "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
         *       "subscriberUrl": "https://app.example/webhooks",
         *       "triggers": [
         *         "BOOKING_CREATED"
         *       ],
         *       "active": false,
         *       "payloadTemplate": null,
         *       "version": "2021-10-20",
         *       "failingSince": "2030-01-07T09:00:00Z",
         *       "disabledAt": "2030-01-07T09:00:00Z",
         *       "createdAt": "2030-01-02T12:00:00.000Z",
         *       "secret": "a-long-random-secret"
         *     }
         */
        CreatedWebhook: {
            /** @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90 */
            id: string;
            /** @description The user whose webhook it is. */
            userId?: number;
            /** @description The team whose webhook it is. */
            teamId?: number;
            /** @description The only event type whose bookings it hears of. */
            eventTypeId?: number;
            /** @description The app whose webhook it is. */
            oAuthClientId?: string;
            /**
             * Format: uri
             * @description Where events are sent; with a token of an app that didn’t create it, without path and query.
             * @example https://app.example/webhooks
             */
            subscriberUrl: string;
            /**
             * @description The events that are sent.
             * @example [
             *       "BOOKING_CREATED"
             *     ]
             */
            triggers: components["schemas"]["WebhookEvent"][];
            /** @description Whether events are sent. */
            active: boolean;
            /**
             * @description Always null; templates aren’t supported.
             * @example null
             */
            payloadTemplate: string | null;
            /**
             * @description The layout of payloads.
             * @constant
             */
            version: "2021-10-20";
            /** @description The first of the failures in a row; null: none. */
            failingSince: string | null;
            /** @description When we turned it off, after 3 days of nothing but failures; null otherwise. */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            createdAt: string;
            /**
             * @description Copy it: it isn’t returned again.
             * @example a-long-random-secret
             */
            secret: string;
        };
        /**
         * @description Replaces the weekly hours on one date; 00:00 to 00:00 is a day off.
         * @example {
         *       "date": "2030-12-24",
         *       "startTime": "00:00",
         *       "endTime": "00:00"
         *     }
         */
        DateOverride: {
            /** Format: date */
            date: string;
            /** @description HH:MM. */
            startTime: string;
            /** @description HH:MM; 24:00 is the end of the day, and so is 23:59. */
            endTime: string;
        };
        /**
         * @example {
         *       "reason": "I am away on that day."
         *     }
         */
        Declination: {
            /** @description Reason, shown on the booking’s page and in emails to hosts. */
            reason?: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "integration": "caldav_calendar",
         *       "credentialId": 1,
         *       "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
         *       "name": "Work",
         *       "userId": 1,
         *       "eventTypeId": null,
         *       "primaryEmail": null
         *     }
         */
        DestinationCalendar: {
            /** @description The ID of the connection. */
            id: number;
            /**
             * @description The kind, as Cal.com names it.
             * @example caldav_calendar
             */
            integration: string;
            /** @description The ID of the connection. */
            credentialId: number;
            /**
             * @description Opaque: never the address.
             * @example Qm5vZ1ZhbHVlT2ZBbnk
             */
            externalId: string;
            /** @example Work */
            name: string;
            /** @description The user whose bookings are written. */
            userId: number;
            /**
             * @description Always null: the bookings of all event types.
             * @example null
             */
            eventTypeId: number | null;
            /**
             * @description Always null.
             * @example null
             */
            primaryEmail: string | null;
        };
        /** @example {} */
        Disconnection: {
            /**
             * @description The `credentialId`, if the path has the kind, as in Cal.com.
             * @example 42
             */
            id?: number;
        };
        /**
         * @example {
         *       "id": 1,
         *       "ownerId": 1,
         *       "teamId": null,
         *       "title": "30 minutes",
         *       "slug": "30min",
         *       "description": "",
         *       "lengthInMinutes": 30,
         *       "hidden": false,
         *       "locations": [
         *         {
         *           "type": "address",
         *           "address": "Main St 1, Springfield",
         *           "public": true
         *         }
         *       ],
         *       "bookingFields": [
         *         {
         *           "type": "text",
         *           "slug": "company",
         *           "label": "Company",
         *           "required": true,
         *           "hidden": false,
         *           "isDefault": false
         *         }
         *       ],
         *       "disableGuests": false,
         *       "bookingUrl": "https://cal.example/ann/30min",
         *       "scheduleId": null,
         *       "beforeEventBuffer": 0,
         *       "afterEventBuffer": 10,
         *       "minimumBookingNotice": 120,
         *       "slotInterval": null,
         *       "bookingLimitsCount": {
         *         "day": 3
         *       },
         *       "bookingWindow": {
         *         "type": "calendarDays",
         *         "value": 30
         *       },
         *       "confirmationPolicy": {
         *         "type": "always",
         *         "blockUnconfirmedBookingsInBooker": true
         *       },
         *       "schedulingType": null,
         *       "users": [
         *         {
         *           "id": 1,
         *           "name": "Ann Smith",
         *           "username": "ann",
         *           "weekStart": "Monday",
         *           "avatarUrl": null,
         *           "brandColor": null,
         *           "darkBrandColor": null,
         *           "metadata": {}
         *         }
         *       ],
         *       "hosts": [],
         *       "team": null,
         *       "recurrence": null,
         *       "metadata": {},
         *       "price": 0,
         *       "currency": "usd",
         *       "isInstantEvent": false,
         *       "bookingRequiresAuthentication": false,
         *       "lockTimeZoneToggleOnBookingPage": false,
         *       "successRedirectUrl": null,
         *       "forwardParamsSuccessRedirect": false,
         *       "createdAt": "2030-01-02T12:00:00.000Z"
         *     }
         */
        EventType: {
            id: number;
            /** @description The user who owns it; null for team event types. */
            ownerId: number | null;
            /**
             * @description The team that owns it; null for event types of users.
             * @example null
             */
            teamId: number | null;
            /** @example 30 minutes */
            title: string;
            /**
             * @description Part of the public URL.
             * @example 30min
             */
            slug: string;
            /** @example  */
            description: string;
            /** @example 30 */
            lengthInMinutes: number;
            /** @description Lengths that people can choose from; omitted if there is one. */
            lengthInMinutesOptions?: number[];
            /** @description Whether it is hidden from public lists. */
            hidden: boolean;
            /**
             * @description Where it takes place. What isn’t public is left out for people who don’t manage it.
             * @example [
             *       {
             *         "type": "address",
             *         "address": "Main St 1, Springfield",
             *         "public": true
             *       }
             *     ]
             */
            locations: {
                type: components["schemas"]["LocationType"];
                /** @description Of address. */
                address?: string;
                /** @description Of link. */
                link?: string;
                /** @description Of phone. */
                phone?: string;
                /** @description Whether people see it before they book. */
                public?: boolean;
            }[];
            /**
             * @description What people are asked when they book, besides what every event type asks.
             * @example [
             *       {
             *         "type": "text",
             *         "slug": "company",
             *         "label": "Company",
             *         "required": true,
             *         "hidden": false,
             *         "isDefault": false
             *       }
             *     ]
             */
            bookingFields: {
                type: components["schemas"]["BookingFieldType"];
                /** @description Names the answer in `bookingFieldsResponses`. */
                slug: string;
                /** @description The question, as people read it. */
                label: string;
                /** @description Whether a booking needs an answer. */
                required: boolean;
                /** @description Whether the booking page leaves it out. */
                hidden: boolean;
                /** @description Shown in an empty field. */
                placeholder?: string;
                /** @description Of select, radio, multiselect and checkbox. */
                options?: string[];
                /**
                 * @description Always false: fields that every event type has aren’t listed.
                 * @constant
                 */
                isDefault: false;
            }[];
            /** @description Whether people can’t add guests when they book. */
            disableGuests: boolean;
            /**
             * @description Public booking page; empty if there is none.
             * @example https://cal.example/ann/30min
             */
            bookingUrl: string;
            /**
             * @description The schedule it uses; null means the user’s default.
             * @example null
             */
            scheduleId: number | null;
            /**
             * @description Minutes kept free before each booking.
             * @example 0
             */
            beforeEventBuffer: number;
            /**
             * @description Minutes kept free after each booking.
             * @example 10
             */
            afterEventBuffer: number;
            /**
             * @description Minimum minutes between booking and start.
             * @example 120
             */
            minimumBookingNotice: number;
            /**
             * @description Minutes from one slot to the next; null means the length.
             * @example null
             */
            slotInterval: number | null;
            /** @description How many bookings each day of the first host’s time zone can have. */
            bookingLimitsCount: {
                /**
                 * @description Bookings a day at most.
                 * @example 3
                 */
                day: number;
            } | {
                /** @constant */
                disabled: true;
            };
            /** @description How far ahead people can book. */
            bookingWindow: {
                type: components["schemas"]["BookingWindowType"];
                /** @description Number of days; of a range, the first and the last day. */
                value: number | string[];
                /** @description Whether only days that have free times are counted; a range has none. */
                rolling?: boolean;
            } | {
                /** @constant */
                disabled: true;
            };
            /** @description Whether a host must confirm each booking. */
            confirmationPolicy: {
                /** @constant */
                type: "always";
                /**
                 * @description Always true: a booking that waits holds its time.
                 * @constant
                 */
                blockUnconfirmedBookingsInBooker: true;
            } | {
                /** @constant */
                disabled: true;
            };
            /**
             * @description `collective`: all hosts attend. `roundRobin`: hosts take turns. null for event types of users.
             * @example null
             */
            schedulingType: components["schemas"]["SchedulingType"] | null;
            /** @description The user who owns it; empty for team event types. */
            users: {
                id: number;
                /** @example Ann Smith */
                name: string;
                /** @example ann */
                username: string | null;
                /** @description First day of the week. */
                weekStart: components["schemas"]["WeekDay"];
                /**
                 * @description Always null.
                 * @example null
                 */
                avatarUrl: string | null;
                /**
                 * @description Always null.
                 * @example null
                 */
                brandColor: string | null;
                /**
                 * @description Always null.
                 * @example null
                 */
                darkBrandColor: string | null;
                /** @description Always empty. */
                metadata: Record<string, never>;
            }[];
            /**
             * @description The members who host it; empty for event types of users.
             * @example []
             */
            hosts: {
                /** @description The user ID of the host. */
                userId: number;
                /** @example Ann Smith */
                name: string;
                /** @example ann */
                username: string | null;
            }[];
            /**
             * @description null for event types of users.
             * @example null
             */
            team: {
                id: number;
                slug: string;
                name: string;
            } | null;
            /**
             * @description Always null: bookings don’t repeat.
             * @example null
             */
            recurrence: string | null;
            /** @description Always empty. */
            metadata: Record<string, never>;
            /**
             * @description Always 0: bookings are free.
             * @constant
             */
            price: 0;
            /**
             * @description Always usd, as nothing is paid.
             * @constant
             */
            currency: "usd";
            /**
             * @description Always false.
             * @constant
             */
            isInstantEvent: false;
            /**
             * @description Always false: anyone can book.
             * @constant
             */
            bookingRequiresAuthentication: false;
            /**
             * @description Always false: visitors choose their time zone.
             * @constant
             */
            lockTimeZoneToggleOnBookingPage: false;
            /**
             * @description Always null: booking pages don’t redirect.
             * @example null
             */
            successRedirectUrl: string | null;
            /**
             * @description Always false: booking pages don’t redirect.
             * @constant
             */
            forwardParamsSuccessRedirect: false;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "title": "Half an hour",
         *       "hidden": true
         *     }
         */
        EventTypeChanges: {
            title?: string;
            /** @description Part of the public URL; unique per owner. */
            slug?: string;
            /** @description Shown to people who book. */
            description?: string;
            lengthInMinutes?: number;
            /** @description Where it takes place. With several, people choose when they book. */
            locations?: (components["schemas"]["AddressLocation"] | components["schemas"]["LinkLocation"] | components["schemas"]["PhoneLocation"] | components["schemas"]["AttendeeAddressLocation"] | components["schemas"]["AttendeePhoneLocation"] | components["schemas"]["AttendeeDefinedLocation"])[];
            /** @description What people are asked when they book, besides their name, email address, notes and guests. A change replaces all. */
            bookingFields?: {
                type: components["schemas"]["BookingFieldType"];
                /** @description Names the answer in `bookingFieldsResponses`. */
                slug: string;
                /** @description The question, as people read it. */
                label: string;
                /** @description Whether a booking needs an answer; of boolean: true. */
                required: boolean;
                /** @description Shown in an empty field. */
                placeholder?: string;
                /** @description Of select, radio, multiselect and checkbox. */
                options?: string[];
                /**
                 * @description Whether the booking page leaves it out. Apps can answer it, and needn’t.
                 * @default false
                 */
                hidden?: boolean;
                /**
                 * @description As answers have it.
                 * @constant
                 */
                isDefault?: false;
                /**
                 * @description Only false: booking pages fill in nothing.
                 * @constant
                 */
                disableOnPrefill?: false;
            }[];
            /** @description Whether people can’t add guests when they book. */
            disableGuests?: boolean;
            /** @description Lengths that people can choose from, `lengthInMinutes` among them; null means no choice. */
            lengthInMinutesOptions?: number[] | null;
            /** @description Whether to hide it from public lists. */
            hidden?: boolean;
            /** @description Minutes to keep free before each booking. */
            beforeEventBuffer?: number;
            /** @description Minutes to keep free after each booking. */
            afterEventBuffer?: number;
            /** @description Minimum minutes between booking and start. */
            minimumBookingNotice?: number;
            /** @description Minutes from one slot to the next; null means the length. */
            slotInterval?: number | null;
            /** @description How many bookings each day of the first host’s time zone can have, wherever they come from. */
            bookingLimitsCount?: {
                /** @description True for no limit. */
                disabled?: boolean;
                /** @description Bookings a day at most. */
                day?: number;
            } | null;
            /** @description How far ahead people can book. */
            bookingWindow?: {
                /** @constant */
                disabled: true;
            } | {
                type: components["schemas"]["BookingWindowType"];
                /** @description Number of days, business days being Monday to Friday; of a range, the first and the last day. */
                value: number | string[];
                /**
                 * @description Whether only days that have free times are counted. A range has none.
                 * @default false
                 */
                rolling?: boolean;
            };
            /** @description Whether a host must confirm each booking. */
            confirmationPolicy?: {
                /** @constant */
                disabled: true;
            } | {
                /** @constant */
                type: "always";
            };
            /** @description One of the user’s schedules; null means the default. */
            scheduleId?: number | null;
            schedulingType?: components["schemas"]["SchedulingType"] | null;
            /** @description The members who host it. */
            hosts?: {
                /**
                 * @description The user ID of a team member.
                 * @example 42
                 */
                userId: number;
            }[];
        };
        /**
         * @example true
         * @enum {string}
         */
        Flag: "true" | "false";
        /**
         * @example {
         *       "active": false
         *     }
         */
        Introspection: {
            /** @description Whether the token works now. If false, it’s the only field. */
            active: boolean;
            token_type?: components["schemas"]["TokenType"];
            /** @description Issuer. */
            iss?: string;
            /** @description Whom access tokens are for: one as a string, several as a list. */
            aud?: unknown;
            /** @description ID of the user. */
            sub?: string;
            /** @description The app that the user approved. */
            client_id?: string;
            /** @description The team, if the access is to a team. */
            team_id?: number;
            /** @description What the token allows now, separated by spaces. */
            scope?: string;
            /** @description When the access token was issued, in seconds since 1970. */
            iat?: number;
            /** @description When the access token expires, in seconds since 1970. */
            exp?: number;
            /** @description The key that the access token is bound to (RFC 9449). */
            cnf?: {
                /** @description RFC 7638 thumbprint. */
                jkt: string;
            };
            /** @description ID of the access token. */
            jti?: string;
        };
        /**
         * @example {
         *       "client_id": "5f0c1d2e3b4a59687786951423324150",
         *       "client_secret": "lks_your_client_secret",
         *       "token": "eyJ.an.access_token"
         *     }
         */
        IntrospectionRequest: {
            /** @description Required unless you use HTTP Basic. */
            client_id?: string;
            /** @description Required for confidential clients unless you use HTTP Basic. Public clients have none. */
            client_secret?: string;
            /** @description An access token or a refresh token. */
            token: string;
            /** @description access_token or refresh_token. Not needed to find the token. */
            token_type_hint?: string;
        };
        /**
         * @example {
         *       "type": "link",
         *       "link": "https://app.example/"
         *     }
         */
        LinkLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "link";
            /**
             * Format: uri
             * @description Where people join.
             */
            link: string;
            /**
             * @description Whether people see it before they book; those who booked always do.
             * @default false
             */
            public?: boolean;
        };
        /**
         * @example upcoming
         * @enum {string}
         */
        ListedStatus: "upcoming" | "past" | "unconfirmed" | "recurring" | "accepted" | "pending" | "cancelled" | "rejected";
        /**
         * @example address
         * @enum {string}
         */
        LocationType: "address" | "link" | "phone" | "attendeeAddress" | "attendeePhone" | "attendeeDefined";
        /**
         * @example {
         *       "id": 1,
         *       "email": "alice+4f9c2e71b0d85a3369fe1c2d7@example.com",
         *       "displayEmail": "alice@example.com",
         *       "username": null,
         *       "name": "Alice Smith",
         *       "timeZone": "Europe/Rome",
         *       "weekStart": "Monday",
         *       "timeFormat": 12,
         *       "defaultScheduleId": null,
         *       "createdDate": "2030-01-07T09:00:00.000Z"
         *     }
         */
        ManagedUser: {
            id: number;
            /**
             * Format: email
             * @description The stored address, with the suffix.
             * @example alice+4f9c2e71b0d85a3369fe1c2d7@example.com
             */
            email: string;
            /**
             * Format: email
             * @description The address without the suffix.
             * @example alice@example.com
             */
            displayEmail: string;
            /**
             * @description Always null: managed users have no public booking page.
             * @example null
             */
            username: string | null;
            /** @example Alice Smith */
            name: string;
            /** @example Europe/Rome */
            timeZone: string;
            /** @description First day of the week. */
            weekStart: components["schemas"]["WeekDay"];
            /** @description 12-hour or 24-hour clock. */
            timeFormat: components["schemas"]["TimeFormat"];
            /**
             * @description Default schedule; null means Monday to Friday, 9:00 to 17:00.
             * @example null
             */
            defaultScheduleId: number | null;
            /**
             * Format: date-time
             * @description When the user was created.
             * @example 2030-01-07T09:00:00.000Z
             */
            createdDate: string;
        };
        /**
         * @example {
         *       "timeZone": "America/New_York",
         *       "timeFormat": 12
         *     }
         */
        ManagedUserChanges: {
            /** @example Alice Smith */
            name?: string;
            /**
             * @description IANA time zone.
             * @example Europe/Berlin
             */
            timeZone?: string;
            /** @description First day of the week. */
            weekStart?: components["schemas"]["WeekDay"];
            /** @description 12-hour or 24-hour clock. */
            timeFormat?: components["schemas"]["TimeFormat"];
            /**
             * @description One of the user’s schedules, which becomes the default.
             * @example 42
             */
            defaultScheduleId?: number;
            /**
             * Format: email
             * @description Email address. It is stored with a suffix before the @; `displayEmail` has no suffix.
             * @example alice@example.com
             */
            email?: string;
        };
        /**
         * @example {
         *       "accessToken": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example",
         *       "accessTokenExpiresAt": 1893403800000,
         *       "refreshToken": "lkr_the_first_refresh_token",
         *       "refreshTokenExpiresAt": 1895994000000
         *     }
         */
        ManagedUserTokens: {
            /**
             * @description Send it as `Authorization: Bearer`.
             * @example eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example
             */
            accessToken: string;
            /**
             * @description Milliseconds since 1970.
             * @example 1893403800000
             */
            accessTokenExpiresAt: number;
            /**
             * @description Use it for the next tokens at POST /v2/auth/oauth2/token.
             * @example lkr_the_first_refresh_token
             */
            refreshToken: string;
            /**
             * @description Milliseconds since 1970, unless it is used before.
             * @example 1895994000000
             */
            refreshTokenExpiresAt: number;
        };
        /**
         * @example {
         *       "id": 1,
         *       "email": "ann@example.com",
         *       "emailVerified": false,
         *       "username": "ann",
         *       "name": "Ann Smith",
         *       "timeZone": "Europe/Berlin",
         *       "weekStart": "Monday",
         *       "timeFormat": 12,
         *       "defaultScheduleId": 1,
         *       "organizationId": 1
         *     }
         */
        Me: {
            id: number;
            /**
             * Format: email
             * @example ann@example.com
             */
            email: string;
            /** @description Whether the user has shown that the email address is theirs. Identify users by `id`. */
            emailVerified: boolean;
            /**
             * @description Username; null if there is none.
             * @example ann
             */
            username: string | null;
            /** @example Ann Smith */
            name: string;
            /** @example Europe/Berlin */
            timeZone: string;
            /** @description First day of the week. */
            weekStart: components["schemas"]["WeekDay"];
            /** @description 12-hour or 24-hour clock. */
            timeFormat: components["schemas"]["TimeFormat"];
            /** @description Default schedule; null means Monday to Friday, 9:00 to 17:00. */
            defaultScheduleId: number | null;
            /** @description The organization the user belongs to, or null. */
            organizationId: number | null;
            /** @description The organization the user belongs to. */
            organization?: {
                id: number;
                /** @description Whether its clients can manage users. */
                isPlatform: boolean;
            };
            /** @description The team the token acts for, if it is limited to one. */
            team?: {
                id: number;
                slug: string;
                name: string;
            };
        };
        /**
         * @example {
         *       "subscriberUrl": "https://app.example/webhooks",
         *       "triggers": [
         *         "BOOKING_CREATED",
         *         "ACCESS_REMOVED"
         *       ],
         *       "active": true
         *     }
         */
        NewAppWebhook: {
            /**
             * Format: uri
             * @description Where events are sent: an https address on the public internet.
             * @example https://app.example/webhooks
             */
            subscriberUrl: string;
            /**
             * @description Whether events are sent.
             * @default true
             */
            active?: boolean;
            /**
             * @description The key of the signatures. Without one, we generate it.
             * @example whsec_bWFrZSAzMiByYW5kb20gYnl0ZXMgb2YgeW91ciBvd24=
             */
            secret?: string;
            /**
             * @description The layout of payloads. There is one.
             * @constant
             */
            version?: "2021-10-20";
            /**
             * @description The events to send.
             * @example [
             *       "ACCESS_GRANTED"
             *     ]
             */
            triggers: components["schemas"]["AppWebhookTrigger"][];
        };
        /**
         * @example {
         *       "name": "Bob Jones",
         *       "email": "bob@example.com",
         *       "timeZone": "Europe/Rome",
         *       "language": "en"
         *     }
         */
        NewAttendee: {
            name: string;
            /** Format: email */
            email: string;
            /**
             * @description IANA time zone.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * @description A BCP 47 tag.
             * @default en
             */
            language?: string;
            phoneNumber?: string;
        };
        /**
         * @example {
         *       "eventTypeId": 42,
         *       "start": "2030-01-07T09:00:00Z",
         *       "attendee": {
         *         "name": "Bob Jones",
         *         "email": "bob@example.com",
         *         "timeZone": "Europe/Rome"
         *       },
         *       "guests": [
         *         "carol@example.com"
         *       ],
         *       "bookingFieldsResponses": {
         *         "notes": "Let us talk about the plan."
         *       },
         *       "metadata": {
         *         "source": "website"
         *       }
         *     }
         */
        NewBooking: {
            /**
             * @description Event type ID. Or send eventTypeSlug with username or teamSlug.
             * @example 42
             */
            eventTypeId?: number;
            /** @description Event type slug, with username or teamSlug. */
            eventTypeSlug?: string;
            /** @description Username of the event type’s owner. */
            username?: string;
            /** @description Slug of the team that owns the event type. */
            teamSlug?: string;
            /**
             * Format: date-time
             * @description Start of an available slot.
             */
            start: string;
            /** @description One of the event type’s lengths; its usual one if omitted. */
            lengthInMinutes?: number;
            attendee: components["schemas"]["NewAttendee"];
            /** @description One of the event type’s locations; the first of the host’s if omitted. */
            location?: components["schemas"]["BookedLocationChoice"] | string;
            /**
             * Format: uri
             * @deprecated
             * @description Like `location` as a string, which wins. Cal.com’s older name.
             */
            meetingUrl?: string;
            /**
             * @description Email addresses of guests.
             * @default []
             */
            guests?: string[];
            /** @description Answers to the event type’s questions (`bookingFields`), by slug. Event types without questions keep any. Default: `{}`. */
            bookingFieldsResponses?: {
                [key: string]: unknown;
            };
            /** @description Your app’s own data. Default: `{}`. */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * @example {
         *       "url": "https://dav.example/ann/",
         *       "username": "ann",
         *       "password": "an-app-password"
         *     }
         */
        NewCaldavCalendar: {
            /**
             * Format: uri
             * @description The URL of the CalDAV server or account. `apple` needs none.
             */
            url?: string;
            /** @description Username on the server. */
            username: string;
            /** @description Preferably an app password. Stored encrypted. */
            password: string;
            /**
             * @description Display name.
             * @default CalDAV calendars
             */
            name?: string;
        };
        /**
         * @example {
         *       "integration": "caldav_calendar",
         *       "externalId": "Qm5vZ1ZhbHVlT2ZBbnk"
         *     }
         */
        NewDestinationCalendar: {
            /** @description The kind of calendar, as the list names it. */
            integration: string;
            /** @description The calendar, as the list names it. */
            externalId: string;
        };
        /**
         * @example {
         *       "title": "30 minutes",
         *       "slug": "30min",
         *       "lengthInMinutes": 30,
         *       "afterEventBuffer": 10
         *     }
         */
        NewEventType: {
            title: string;
            /** @description Part of the public URL; unique per owner. */
            slug: string;
            /**
             * @description Shown to people who book.
             * @default
             */
            description?: string;
            lengthInMinutes: number;
            /**
             * @description Where it takes place. With several, people choose when they book.
             * @default []
             */
            locations?: (components["schemas"]["AddressLocation"] | components["schemas"]["LinkLocation"] | components["schemas"]["PhoneLocation"] | components["schemas"]["AttendeeAddressLocation"] | components["schemas"]["AttendeePhoneLocation"] | components["schemas"]["AttendeeDefinedLocation"])[];
            /**
             * @description What people are asked when they book, besides their name, email address, notes and guests. A change replaces all.
             * @default []
             */
            bookingFields?: {
                type: components["schemas"]["BookingFieldType"];
                /** @description Names the answer in `bookingFieldsResponses`. */
                slug: string;
                /** @description The question, as people read it. */
                label: string;
                /** @description Whether a booking needs an answer; of boolean: true. */
                required: boolean;
                /** @description Shown in an empty field. */
                placeholder?: string;
                /** @description Of select, radio, multiselect and checkbox. */
                options?: string[];
                /**
                 * @description Whether the booking page leaves it out. Apps can answer it, and needn’t.
                 * @default false
                 */
                hidden?: boolean;
                /**
                 * @description As answers have it.
                 * @constant
                 */
                isDefault?: false;
                /**
                 * @description Only false: booking pages fill in nothing.
                 * @constant
                 */
                disableOnPrefill?: false;
            }[];
            /**
             * @description Whether people can’t add guests when they book.
             * @default false
             */
            disableGuests?: boolean;
            /** @description Lengths that people can choose from, `lengthInMinutes` among them; null means no choice. Default: `null`. */
            lengthInMinutesOptions?: number[] | null;
            /**
             * @description Whether to hide it from public lists.
             * @default false
             */
            hidden?: boolean;
            /**
             * @description Minutes to keep free before each booking.
             * @default 0
             */
            beforeEventBuffer?: number;
            /**
             * @description Minutes to keep free after each booking.
             * @default 0
             */
            afterEventBuffer?: number;
            /**
             * @description Minimum minutes between booking and start.
             * @default 120
             */
            minimumBookingNotice?: number;
            /** @description Minutes from one slot to the next; null means the length. Default: `null`. */
            slotInterval?: number | null;
            /** @description How many bookings each day of the first host’s time zone can have, wherever they come from. Default: `{"disabled":true}`. */
            bookingLimitsCount?: {
                /** @description True for no limit. */
                disabled?: boolean;
                /** @description Bookings a day at most. */
                day?: number;
            } | null;
            /** @description How far ahead people can book. Default: `{"disabled":true}`. */
            bookingWindow?: {
                /** @constant */
                disabled: true;
            } | {
                type: components["schemas"]["BookingWindowType"];
                /** @description Number of days, business days being Monday to Friday; of a range, the first and the last day. */
                value: number | string[];
                /**
                 * @description Whether only days that have free times are counted. A range has none.
                 * @default false
                 */
                rolling?: boolean;
            };
            /** @description Whether a host must confirm each booking. Default: `{"disabled":true}`. */
            confirmationPolicy?: {
                /** @constant */
                disabled: true;
            } | {
                /** @constant */
                type: "always";
            };
            /** @description One of the user’s schedules; null means the default. Default: `null`. */
            scheduleId?: number | null;
        };
        /**
         * @example {
         *       "urls": [
         *         "https://cal.example/ann.ics"
         *       ],
         *       "name": "Work"
         *     }
         */
        NewIcsFeed: {
            /** @description Feed URLs; together they form one calendar. */
            urls: string[];
            /**
             * @description Display name.
             * @default Calendar feed
             */
            name?: string;
            /** @description Has no effect: feeds are read-only. */
            readOnly?: boolean;
        };
        /**
         * @example {
         *       "email": "alice@example.com",
         *       "name": "Alice Smith",
         *       "timeZone": "Europe/Rome"
         *     }
         */
        NewManagedUser: {
            /**
             * Format: email
             * @description Email address. It is stored with a suffix before the @; `displayEmail` has no suffix.
             * @example alice@example.com
             */
            email: string;
            /** @example Alice Smith */
            name: string;
            /**
             * @description IANA time zone.
             * @default UTC
             * @example Europe/Berlin
             */
            timeZone?: string;
            /**
             * @description First day of the week.
             * @default Monday
             */
            weekStart?: components["schemas"]["WeekDay"];
            /**
             * @description 12-hour or 24-hour clock.
             * @default 12
             */
            timeFormat?: components["schemas"]["TimeFormat"];
        };
        /**
         * @example {
         *       "eventTypeId": 42,
         *       "slotStart": "2030-01-07T09:00:00Z",
         *       "reservationDuration": 5
         *     }
         */
        NewReservation: {
            /**
             * @description The event type ID.
             * @example 42
             */
            eventTypeId: number;
            /**
             * Format: date-time
             * @description Start of a free slot.
             */
            slotStart: string;
            /** @description One of the event type’s lengths, in minutes; the usual one if omitted. */
            slotDuration?: number;
            /**
             * @description Minutes until the reservation expires.
             * @default 5
             */
            reservationDuration?: number;
        };
        /**
         * @example {
         *       "name": "Working hours",
         *       "timeZone": "Europe/Berlin",
         *       "isDefault": false
         *     }
         */
        NewSchedule: {
            /** @example Working hours */
            name: string;
            /**
             * @description IANA time zone.
             * @example Europe/Berlin
             */
            timeZone: string;
            /** @description Whether event types without a schedule use this one. */
            isDefault: boolean;
            /** @description Weekly hours; an empty list means never available. Default: `[{"days":["Monday","Tuesday","Wednesday","Thursday","Friday"],"startTime":"09:00","endTime":"17:00"}]`. */
            availability?: components["schemas"]["WeeklyHours"][];
            /**
             * @description Hours for single dates, up to 400 of them. Those a month past are dropped.
             * @default []
             */
            overrides?: components["schemas"]["DateOverride"][];
        };
        /**
         * @example {
         *       "title": "Product demo",
         *       "slug": "demo",
         *       "lengthInMinutes": 45,
         *       "schedulingType": "roundRobin",
         *       "hosts": [
         *         {
         *           "userId": 42
         *         }
         *       ]
         *     }
         */
        NewTeamEventType: {
            title: string;
            /** @description Part of the public URL; unique per owner. */
            slug: string;
            /**
             * @description Shown to people who book.
             * @default
             */
            description?: string;
            lengthInMinutes: number;
            /**
             * @description Where it takes place. With several, people choose when they book.
             * @default []
             */
            locations?: (components["schemas"]["AddressLocation"] | components["schemas"]["LinkLocation"] | components["schemas"]["PhoneLocation"] | components["schemas"]["AttendeeAddressLocation"] | components["schemas"]["AttendeePhoneLocation"] | components["schemas"]["AttendeeDefinedLocation"])[];
            /**
             * @description What people are asked when they book, besides their name, email address, notes and guests. A change replaces all.
             * @default []
             */
            bookingFields?: {
                type: components["schemas"]["BookingFieldType"];
                /** @description Names the answer in `bookingFieldsResponses`. */
                slug: string;
                /** @description The question, as people read it. */
                label: string;
                /** @description Whether a booking needs an answer; of boolean: true. */
                required: boolean;
                /** @description Shown in an empty field. */
                placeholder?: string;
                /** @description Of select, radio, multiselect and checkbox. */
                options?: string[];
                /**
                 * @description Whether the booking page leaves it out. Apps can answer it, and needn’t.
                 * @default false
                 */
                hidden?: boolean;
                /**
                 * @description As answers have it.
                 * @constant
                 */
                isDefault?: false;
                /**
                 * @description Only false: booking pages fill in nothing.
                 * @constant
                 */
                disableOnPrefill?: false;
            }[];
            /**
             * @description Whether people can’t add guests when they book.
             * @default false
             */
            disableGuests?: boolean;
            /** @description Lengths that people can choose from, `lengthInMinutes` among them; null means no choice. Default: `null`. */
            lengthInMinutesOptions?: number[] | null;
            /**
             * @description Whether to hide it from public lists.
             * @default false
             */
            hidden?: boolean;
            /**
             * @description Minutes to keep free before each booking.
             * @default 0
             */
            beforeEventBuffer?: number;
            /**
             * @description Minutes to keep free after each booking.
             * @default 0
             */
            afterEventBuffer?: number;
            /**
             * @description Minimum minutes between booking and start.
             * @default 120
             */
            minimumBookingNotice?: number;
            /** @description Minutes from one slot to the next; null means the length. Default: `null`. */
            slotInterval?: number | null;
            /** @description How many bookings each day of the first host’s time zone can have, wherever they come from. Default: `{"disabled":true}`. */
            bookingLimitsCount?: {
                /** @description True for no limit. */
                disabled?: boolean;
                /** @description Bookings a day at most. */
                day?: number;
            } | null;
            /** @description How far ahead people can book. Default: `{"disabled":true}`. */
            bookingWindow?: {
                /** @constant */
                disabled: true;
            } | {
                type: components["schemas"]["BookingWindowType"];
                /** @description Number of days, business days being Monday to Friday; of a range, the first and the last day. */
                value: number | string[];
                /**
                 * @description Whether only days that have free times are counted. A range has none.
                 * @default false
                 */
                rolling?: boolean;
            };
            /** @description Whether a host must confirm each booking. Default: `{"disabled":true}`. */
            confirmationPolicy?: {
                /** @constant */
                disabled: true;
            } | {
                /** @constant */
                type: "always";
            };
            /** @description `collective`: all hosts attend. `roundRobin`: hosts take turns. */
            schedulingType: components["schemas"]["SchedulingType"];
            /** @description The members who host it. */
            hosts: {
                /**
                 * @description The user ID of a team member.
                 * @example 42
                 */
                userId: number;
            }[];
        };
        /**
         * @example {
         *       "subscriberUrl": "https://app.example/webhooks",
         *       "triggers": [
         *         "BOOKING_CREATED"
         *       ],
         *       "active": true
         *     }
         */
        NewWebhook: {
            /**
             * Format: uri
             * @description Where events are sent: an https address on the public internet.
             * @example https://app.example/webhooks
             */
            subscriberUrl: string;
            /**
             * @description Whether events are sent.
             * @default true
             */
            active?: boolean;
            /**
             * @description The key of the signatures. Without one, we generate it.
             * @example whsec_bWFrZSAzMiByYW5kb20gYnl0ZXMgb2YgeW91ciBvd24=
             */
            secret?: string;
            /**
             * @description The layout of payloads. There is one.
             * @constant
             */
            version?: "2021-10-20";
            /**
             * @description The events to send.
             * @example [
             *       "BOOKING_CREATED"
             *     ]
             */
            triggers: components["schemas"]["WebhookTrigger"][];
        };
        /**
         * @example {
         *       "client_id": "5f0c1d2e3b4a59687786951423324150",
         *       "name": "Tidy Desk",
         *       "redirect_uri": "https://app.example/callback",
         *       "redirect_uris": [
         *         "https://app.example/callback"
         *       ],
         *       "logo": null,
         *       "client_type": "confidential",
         *       "is_trusted": false
         *     }
         */
        OAuthClient: {
            client_id: string;
            name: string;
            /** @description The first of redirect_uris. */
            redirect_uri: string | null;
            redirect_uris: string[];
            /** @description The URL of its logo. */
            logo: string | null;
            /** @description A public client can’t keep a secret. */
            client_type: components["schemas"]["ClientType"];
            /**
             * @description Always false: users approve every app.
             * @constant
             */
            is_trusted: false;
        };
        /**
         * @example {
         *       "error": "invalid_grant",
         *       "error_description": "code_invalid_or_expired",
         *       "error_uri": "http://localhost:3000/docs/errors#code_invalid_or_expired"
         *     }
         */
        OAuthError: {
            error: components["schemas"]["OAuthErrorCode"];
            /** @description Says which error it is. Stable, so programs can rely on it. */
            error_description: string;
            /**
             * Format: uri
             * @description A page that explains it and says what to do.
             */
            error_uri: string;
        };
        /**
         * @example invalid_request
         * @enum {string}
         */
        OAuthErrorCode: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_scope" | "invalid_target" | "invalid_dpop_proof" | "use_dpop_nonce" | "temporarily_unavailable" | "server_error";
        /**
         * @example {
         *       "totalItems": 1,
         *       "returnedItems": 1,
         *       "itemsPerPage": 100,
         *       "currentPage": 1,
         *       "totalPages": 1,
         *       "remainingItems": 0,
         *       "hasNextPage": false,
         *       "hasPreviousPage": false
         *     }
         */
        Pagination: {
            totalItems: number;
            returnedItems: number;
            /** @example 100 */
            itemsPerPage: number;
            currentPage: number;
            totalPages: number;
            /** @example 0 */
            remainingItems: number;
            hasNextPage: boolean;
            hasPreviousPage: boolean;
        };
        /**
         * @example {
         *       "type": "phone",
         *       "phone": "+49 30 123456"
         *     }
         */
        PhoneLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "phone";
            /**
             * @description Where people call.
             * @example +49 30 123456
             */
            phone: string;
            /**
             * @description Whether people see it before they book; those who booked always do.
             * @default false
             */
            public?: boolean;
        };
        /**
         * @example {
         *       "timeZone": "America/New_York",
         *       "timeFormat": 12
         *     }
         */
        ProfileChanges: {
            /** @example Alice Smith */
            name?: string;
            /**
             * @description IANA time zone.
             * @example Europe/Berlin
             */
            timeZone?: string;
            /** @description First day of the week. */
            weekStart?: components["schemas"]["WeekDay"];
            /** @description 12-hour or 24-hour clock. */
            timeFormat?: components["schemas"]["TimeFormat"];
            /**
             * @description One of the user’s schedules, which becomes the default.
             * @example 42
             */
            defaultScheduleId?: number;
        };
        /**
         * @example {
         *       "bookingUid": "4f9c2e71b0d85a3369fe1c2d",
         *       "reassignedTo": {
         *         "id": 1,
         *         "name": "Ann Smith",
         *         "email": "ann@example.com",
         *         "displayEmail": "ann@example.com"
         *       }
         *     }
         */
        ReassignedBooking: {
            /**
             * @description Booking uid.
             * @example 4f9c2e71b0d85a3369fe1c2d
             */
            bookingUid: string;
            /** @description The new host. */
            reassignedTo: {
                id: number;
                /** @example Ann Smith */
                name: string;
                /**
                 * Format: email
                 * @description Email address as stored.
                 * @example ann@example.com
                 */
                email: string;
                /**
                 * Format: email
                 * @description Email address as people know it, without a managed user’s suffix.
                 * @example ann@example.com
                 */
                displayEmail: string;
            };
        };
        /**
         * @example {
         *       "reason": "She knows more about it."
         *     }
         */
        Reassignment: {
            /** @description Reason, shown on the booking’s page and in emails to hosts. */
            reason?: string;
        };
        /**
         * @example {
         *       "client_id": "5f0c1d2e3b4a59687786951423324150",
         *       "client_secret": "lks_your_client_secret",
         *       "grant_type": "refresh_token",
         *       "refresh_token": "lkr_the_last_refresh_token"
         *     }
         */
        Refresh: {
            /** @description Required unless you use HTTP Basic. */
            client_id?: string;
            /** @description Required for confidential clients unless you use HTTP Basic. Public clients have none. */
            client_secret?: string;
            /** @constant */
            grant_type: "refresh_token";
            /** @description The most recent one. */
            refresh_token: string;
            /** @description Narrows the access token to a resource that the user approved. Send the field again for each further one; in JSON, an array (RFC 8707). */
            resource?: string;
            /** @description Narrows the granted scopes. Separate scopes with spaces. */
            scope?: string;
        };
        /**
         * @example {
         *       "start": "2030-01-08T10:00:00Z",
         *       "reschedulingReason": "Something came up."
         *     }
         */
        Rescheduling: {
            /**
             * Format: date-time
             * @description Start of an available slot.
             */
            start: string;
            /** @description Reason, shown on the booking’s page and in emails to hosts. */
            reschedulingReason?: string;
        };
        /**
         * @example {
         *       "eventTypeId": 1,
         *       "slotStart": "2030-01-07T09:00:00.000Z",
         *       "slotEnd": "2030-01-07T09:30:00.000Z",
         *       "slotDuration": 30,
         *       "reservationDuration": 5,
         *       "reservationUid": "0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90",
         *       "reservationUntil": "2030-01-07T08:05:00.000Z"
         *     }
         */
        Reservation: {
            /** @description The event type ID. */
            eventTypeId: number;
            /**
             * Format: date-time
             * @description Start of the slot.
             * @example 2030-01-07T09:00:00.000Z
             */
            slotStart: string;
            /**
             * Format: date-time
             * @description End of the slot.
             * @example 2030-01-07T09:30:00.000Z
             */
            slotEnd: string;
            /**
             * @description Length of the slot in minutes.
             * @example 30
             */
            slotDuration: number;
            /**
             * @description Minutes until the reservation expires.
             * @example 5
             */
            reservationDuration: number;
            /**
             * Format: uuid
             * @description Releases the reservation.
             */
            reservationUid: string;
            /**
             * Format: date-time
             * @description When the reservation expires.
             * @example 2030-01-07T08:05:00.000Z
             */
            reservationUntil: string;
        };
        /**
         * @example {
         *       "client_id": "5f0c1d2e3b4a59687786951423324150",
         *       "client_secret": "lks_your_client_secret",
         *       "token": "lkr_the_last_refresh_token"
         *     }
         */
        Revocation: {
            /** @description Required unless you use HTTP Basic. */
            client_id?: string;
            /** @description Required for confidential clients unless you use HTTP Basic. Public clients have none. */
            client_secret?: string;
            /** @description An access token or a refresh token. */
            token: string;
            /** @description access_token or refresh_token. Not needed to find the token. */
            token_type_hint?: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "ownerId": 1,
         *       "name": "Working hours",
         *       "timeZone": "Europe/Berlin",
         *       "isDefault": false,
         *       "availability": [
         *         {
         *           "days": [
         *             "Monday"
         *           ],
         *           "startTime": "09:00",
         *           "endTime": "17:00"
         *         }
         *       ],
         *       "overrides": [
         *         {
         *           "date": "2030-12-24",
         *           "startTime": "00:00",
         *           "endTime": "00:00"
         *         }
         *       ]
         *     }
         */
        Schedule: {
            id: number;
            /** @description The user who owns the schedule. */
            ownerId: number;
            /** @example Working hours */
            name: string;
            /**
             * @description Time zone of the hours.
             * @example Europe/Berlin
             */
            timeZone: string;
            /** @description Whether event types without a schedule use this one. */
            isDefault: boolean;
            /** @description Weekly hours. */
            availability: {
                days: components["schemas"]["WeekDay"][];
                /** @example 09:00 */
                startTime: string;
                /** @example 17:00 */
                endTime: string;
            }[];
            /** @description Hours for single dates; 00:00 to 00:00 is a day off. */
            overrides: {
                /**
                 * Format: date
                 * @example 2030-12-24
                 */
                date: string;
                /** @example 00:00 */
                startTime: string;
                /** @example 00:00 */
                endTime: string;
            }[];
        };
        /**
         * @example {
         *       "name": "Summer hours",
         *       "timeZone": "Europe/Rome"
         *     }
         */
        ScheduleChanges: {
            /** @example Working hours */
            name?: string;
            /**
             * @description IANA time zone.
             * @example Europe/Berlin
             */
            timeZone?: string;
            /** @description Whether event types without a schedule use this one. */
            isDefault?: boolean;
            /** @description Weekly hours; an empty list means never available. */
            availability?: components["schemas"]["WeeklyHours"][];
            /** @description Hours for single dates, up to 400 of them. Those a month past are dropped. */
            overrides?: components["schemas"]["DateOverride"][];
        };
        /**
         * @example collective
         * @enum {string}
         */
        SchedulingType: "collective" | "roundRobin";
        /**
         * @example time
         * @enum {string}
         */
        SlotFormat: "time" | "range";
        /**
         * @description Slots by date, in the requested time zone.
         * @example {
         *       "2030-01-07": [
         *         {
         *           "start": "2030-01-07T09:00:00.000+01:00"
         *         }
         *       ]
         *     }
         */
        Slots: {
            [key: string]: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end?: string;
            }[];
        };
        /**
         * @example asc
         * @enum {string}
         */
        SortOrder: "asc" | "desc";
        /**
         * @example {
         *       "id": 1,
         *       "name": "Sales",
         *       "slug": "sales",
         *       "role": "OWNER",
         *       "parentId": null,
         *       "isOrganization": false
         *     }
         */
        Team: {
            id: number;
            /** @example Sales */
            name: string;
            /**
             * @description Part of the public URL.
             * @example sales
             */
            slug: string;
            /** @description What the user is in the team. */
            role: components["schemas"]["TeamRole"];
            /**
             * @description The organization the team belongs to, or null.
             * @example null
             */
            parentId: number | null;
            /**
             * @description Always false.
             * @constant
             */
            isOrganization: false;
        };
        /**
         * @example {
         *       "id": 1,
         *       "userId": 1,
         *       "teamId": 1,
         *       "role": "OWNER",
         *       "accepted": true,
         *       "user": {
         *         "name": "Ann Smith",
         *         "username": "ann",
         *         "email": "ann@example.com"
         *       }
         *     }
         */
        TeamMembership: {
            /** @description The same as `userId`. */
            id: number;
            /** @description For `hosts` of team event types. */
            userId: number;
            /** @description The team. */
            teamId: number;
            /** @description What the member may do in the team. */
            role: components["schemas"]["TeamRole"];
            /**
             * @description Always true: open invitations aren’t listed.
             * @constant
             */
            accepted: true;
            /** @description The member. */
            user: {
                /** @example Ann Smith */
                name: string;
                /**
                 * @description null: no public booking page.
                 * @example ann
                 */
                username: string | null;
                /**
                 * @description For owners and admins of the team; empty for others.
                 * @example ann@example.com
                 */
                email: string;
            };
        };
        /**
         * @example OWNER
         * @enum {string}
         */
        TeamRole: "OWNER" | "ADMIN" | "MEMBER";
        /**
         * @example 12
         * @enum {integer}
         */
        TimeFormat: 12 | 24;
        /**
         * @description DPoP for access tokens that are bound to a key (RFC 9449).
         * @example bearer
         * @enum {string}
         */
        TokenType: "bearer" | "DPoP";
        /**
         * @example {
         *       "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example",
         *       "refresh_token": "lkr_the_next_refresh_token",
         *       "token_type": "bearer",
         *       "expires_in": 1800
         *     }
         */
        Tokens: {
            /** @description Send it to the API as Authorization: Bearer, or DPoP with a proof. */
            access_token: string;
            /** @description Replaces the previous one. */
            refresh_token: string;
            token_type: components["schemas"]["TokenType"];
            /**
             * @description In seconds.
             * @constant
             */
            expires_in: 1800;
            /** @description The granted scopes, if the client is registered with scopes or one was asked for. */
            scope?: string;
            /** @description Says who the user is (OpenID Connect), if a code was exchanged that openid was asked with. */
            id_token?: string;
        };
        /**
         * @example {
         *       "sub": "42",
         *       "name": "Ann Smith",
         *       "preferred_username": "ann",
         *       "zoneinfo": "Europe/Berlin",
         *       "locale": "en-GB",
         *       "updated_at": 1893456000,
         *       "email": "ann@example.com",
         *       "email_verified": true
         *     }
         */
        Userinfo: {
            /** @description ID of the user, as in access tokens. It never changes. */
            sub: string;
            name?: string;
            /** @description Username, which the user may change. */
            preferred_username?: string;
            /** @description Time zone. */
            zoneinfo?: string;
            /** @description A language tag: the user’s choice where there is one, otherwise the browser’s at the last sign-in. */
            locale?: string;
            /** @description When the account last changed, in seconds since 1970. */
            updated_at?: number;
            /** Format: email */
            email?: string;
            /** @description Whether the user has shown that it’s theirs. */
            email_verified?: boolean;
        };
        /**
         * @example {
         *       "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
         *       "subscriberUrl": "https://app.example/webhooks",
         *       "triggers": [
         *         "BOOKING_CREATED"
         *       ],
         *       "active": false,
         *       "payloadTemplate": null,
         *       "version": "2021-10-20",
         *       "failingSince": "2030-01-07T09:00:00Z",
         *       "disabledAt": "2030-01-07T09:00:00Z",
         *       "createdAt": "2030-01-02T12:00:00.000Z"
         *     }
         */
        Webhook: {
            /** @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90 */
            id: string;
            /** @description The user whose webhook it is. */
            userId?: number;
            /** @description The team whose webhook it is. */
            teamId?: number;
            /** @description The only event type whose bookings it hears of. */
            eventTypeId?: number;
            /** @description The app whose webhook it is. */
            oAuthClientId?: string;
            /**
             * Format: uri
             * @description Where events are sent; with a token of an app that didn’t create it, without path and query.
             * @example https://app.example/webhooks
             */
            subscriberUrl: string;
            /**
             * @description The events that are sent.
             * @example [
             *       "BOOKING_CREATED"
             *     ]
             */
            triggers: components["schemas"]["WebhookEvent"][];
            /** @description Whether events are sent. */
            active: boolean;
            /**
             * @description Always null; templates aren’t supported.
             * @example null
             */
            payloadTemplate: string | null;
            /**
             * @description The layout of payloads.
             * @constant
             */
            version: "2021-10-20";
            /** @description The first of the failures in a row; null: none. */
            failingSince: string | null;
            /** @description When we turned it off, after 3 days of nothing but failures; null otherwise. */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "active": false
         *     }
         */
        WebhookChanges: {
            /**
             * Format: uri
             * @description Where events are sent: an https address on the public internet.
             * @example https://app.example/webhooks
             */
            subscriberUrl?: string;
            /** @description Whether events are sent. */
            active?: boolean;
            /**
             * @description The key of the signatures: `whsec_` and 32 random bytes in base64 for Standard Webhooks’ `webhook-signature`, anything else for Cal.com’s `X-Cal-Signature-256` alone. It is stored encrypted and never returned again; a client that has lost it sends a new one.
             * @example whsec_bWFrZSAzMiByYW5kb20gYnl0ZXMgb2YgeW91ciBvd24=
             */
            secret?: string;
            /**
             * @description The layout of payloads. There is one.
             * @constant
             */
            version?: "2021-10-20";
            /**
             * @description The events to send.
             * @example [
             *       "BOOKING_CREATED"
             *     ]
             */
            triggers?: components["schemas"]["WebhookTrigger"][];
        };
        /**
         * @example {
         *       "id": 1,
         *       "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
         *       "triggerEvent": "BOOKING_CREATED",
         *       "state": "waiting",
         *       "attempts": 1,
         *       "status": 1,
         *       "failure": "text",
         *       "durationMs": 1,
         *       "createdAt": "2030-01-02T12:00:00.000Z",
         *       "nextAttemptAt": "2030-01-07T09:00:00Z"
         *     }
         */
        WebhookDelivery: {
            id: number;
            /**
             * @description The event’s `webhook-id`, the same in each attempt.
             * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
             */
            eventId: string;
            /** @description What happened; PING is a test. */
            triggerEvent: components["schemas"]["WebhookEvent"];
            /** @description failed: given up after a day. dropped: too many waited, or the webhook was turned off before it was sent. */
            state: components["schemas"]["WebhookDeliveryState"];
            /**
             * @description Attempts so far.
             * @example 1
             */
            attempts: number;
            /** @description Your server’s HTTP status; null: no answer. */
            status: number | null;
            /** @description Why there was no answer. */
            failure: string | null;
            /** @description How long the last attempt took. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @example 2030-01-02T12:00:00.000Z
             */
            createdAt: string;
            /** @description null: there is none. */
            nextAttemptAt: string | null;
        };
        /**
         * @example waiting
         * @enum {string}
         */
        WebhookDeliveryState: "waiting" | "retrying" | "delivered" | "failed" | "dropped";
        /**
         * @example BOOKING_CREATED
         * @enum {string}
         */
        WebhookEvent: "BOOKING_CREATED" | "BOOKING_REQUESTED" | "BOOKING_RESCHEDULED" | "BOOKING_CANCELLED" | "BOOKING_REJECTED" | "BOOKING_CONFIRMED" | "MEETING_STARTED" | "MEETING_ENDED" | "ACCESS_GRANTED" | "ACCESS_REMOVED" | "PING";
        /**
         * @example BOOKING_CREATED
         * @enum {string}
         */
        WebhookTrigger: "BOOKING_CREATED" | "BOOKING_REQUESTED" | "BOOKING_RESCHEDULED" | "BOOKING_CANCELLED" | "BOOKING_REJECTED" | "BOOKING_CONFIRMED" | "MEETING_STARTED" | "MEETING_ENDED";
        /**
         * @example Monday
         * @enum {string}
         */
        WeekDay: "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday";
        /**
         * @example {
         *       "days": [
         *         "Monday",
         *         "Tuesday"
         *       ],
         *       "startTime": "09:00",
         *       "endTime": "17:00"
         *     }
         */
        WeeklyHours: {
            days: components["schemas"]["WeekDay"][];
            /** @description HH:MM. */
            startTime: string;
            /** @description HH:MM; 24:00 is the end of the day, and so is 23:59. */
            endTime: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    requestTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "5f0c1d2e3b4a59687786951423324150",
                 *       "client_secret": "lks_your_client_secret",
                 *       "grant_type": "authorization_code",
                 *       "code": "lkc_the_code_that_came_back",
                 *       "redirect_uri": "https://app.example/callback"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["CodeExchange"] | components["schemas"]["Refresh"];
            };
        };
        responses: {
            /** @description The tokens, flat (RFC 6749 §5.1). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example",
                     *       "refresh_token": "lkr_the_next_refresh_token",
                     *       "token_type": "bearer",
                     *       "expires_in": 1800
                     *     }
                     */
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description The request, or what it presents, is invalid. See error_description. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Unknown client, wrong secret, or the client isn’t accepted. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "5f0c1d2e3b4a59687786951423324150",
                 *       "client_secret": "lks_your_client_secret",
                 *       "token": "lkr_the_last_refresh_token"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["Revocation"];
            };
        };
        responses: {
            /** @description The token no longer works. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            /** @description The request, or what it presents, is invalid. See error_description. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Unknown client, wrong secret, or the client isn’t accepted. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "5f0c1d2e3b4a59687786951423324150",
                 *       "client_secret": "lks_your_client_secret",
                 *       "token": "eyJ.an.access_token"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["IntrospectionRequest"];
            };
        };
        responses: {
            /** @description What the token is good for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": false
                     *     }
                     */
                    "application/json": components["schemas"]["Introspection"];
                };
            };
            /** @description The request, or what it presents, is invalid. See error_description. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Unknown client, wrong secret, or the client isn’t accepted. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    getOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The client_id.
                 * @example 5f0c1d2e3b4a59687786951423324150
                 */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "client_id": "5f0c1d2e3b4a59687786951423324150",
                     *         "name": "Tidy Desk",
                     *         "redirect_uri": "https://app.example/callback",
                     *         "redirect_uris": [
                     *           "https://app.example/callback"
                     *         ],
                     *         "logo": null,
                     *         "client_type": "confidential",
                     *         "is_trusted": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["OAuthClient"];
                    };
                };
            };
            /** @description No valid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No client has this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "username": "ann",
                     *         "name": "Ann Smith",
                     *         "timeZone": "Europe/Berlin",
                     *         "weekStart": "Monday",
                     *         "timeFormat": 12,
                     *         "defaultScheduleId": 1,
                     *         "organizationId": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Me"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeZone": "America/New_York",
                 *       "timeFormat": 12
                 *     }
                 */
                "application/json": components["schemas"]["ProfileChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "username": "ann",
                     *         "name": "Ann Smith",
                     *         "timeZone": "Europe/Berlin",
                     *         "weekStart": "Monday",
                     *         "timeFormat": 12,
                     *         "defaultScheduleId": 1,
                     *         "organizationId": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Me"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "subscriberUrl": "https://app.example/webhooks",
                     *           "triggers": [
                     *             "BOOKING_CREATED"
                     *           ],
                     *           "active": false,
                     *           "payloadTemplate": null,
                     *           "version": "2021-10-20",
                     *           "failingSince": "2030-01-07T09:00:00Z",
                     *           "disabledAt": "2030-01-07T09:00:00Z",
                     *           "createdAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscriberUrl": "https://app.example/webhooks",
                 *       "triggers": [
                 *         "BOOKING_CREATED"
                 *       ],
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "secret": "a-long-random-secret"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description There are 20 webhooks, the maximum. Delete one first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "triggerEvent": "BOOKING_CREATED",
                     *           "state": "waiting",
                     *           "attempts": 1,
                     *           "status": 1,
                     *           "failure": "text",
                     *           "durationMs": 1,
                     *           "createdAt": "2030-01-02T12:00:00.000Z",
                     *           "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
                /**
                 * @description The delivery ID.
                 * @example 7
                 */
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook or delivery not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listTeamWebhooks: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "subscriberUrl": "https://app.example/webhooks",
                     *           "triggers": [
                     *             "BOOKING_CREATED"
                     *           ],
                     *           "active": false,
                     *           "payloadTemplate": null,
                     *           "version": "2021-10-20",
                     *           "failingSince": "2030-01-07T09:00:00Z",
                     *           "disabledAt": "2030-01-07T09:00:00Z",
                     *           "createdAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createTeamWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscriberUrl": "https://app.example/webhooks",
                 *       "triggers": [
                 *         "BOOKING_CREATED"
                 *       ],
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "secret": "a-long-random-secret"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description There are 20 webhooks, the maximum. Delete one first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getTeamWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteTeamWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateTeamWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    testTeamWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listTeamWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "triggerEvent": "BOOKING_CREATED",
                     *           "state": "waiting",
                     *           "attempts": 1,
                     *           "status": 1,
                     *           "failure": "text",
                     *           "durationMs": 1,
                     *           "createdAt": "2030-01-02T12:00:00.000Z",
                     *           "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    resendTeamWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
                /**
                 * @description The delivery ID.
                 * @example 7
                 */
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook or delivery not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listEventTypeWebhooks: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "subscriberUrl": "https://app.example/webhooks",
                     *           "triggers": [
                     *             "BOOKING_CREATED"
                     *           ],
                     *           "active": false,
                     *           "payloadTemplate": null,
                     *           "version": "2021-10-20",
                     *           "failingSince": "2030-01-07T09:00:00Z",
                     *           "disabledAt": "2030-01-07T09:00:00Z",
                     *           "createdAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createEventTypeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscriberUrl": "https://app.example/webhooks",
                 *       "triggers": [
                 *         "BOOKING_CREATED"
                 *       ],
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "secret": "a-long-random-secret"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description There are 20 webhooks, the maximum. Delete one first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteAllEventTypeWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": "text"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: string;
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getEventTypeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteEventTypeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateEventTypeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    testEventTypeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listEventTypeWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "triggerEvent": "BOOKING_CREATED",
                     *           "state": "waiting",
                     *           "attempts": 1,
                     *           "status": 1,
                     *           "failure": "text",
                     *           "durationMs": 1,
                     *           "createdAt": "2030-01-02T12:00:00.000Z",
                     *           "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    resendEventTypeWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
                /**
                 * @description The delivery ID.
                 * @example 7
                 */
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook or delivery not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "name": "Sales",
                     *           "slug": "sales",
                     *           "role": "OWNER",
                     *           "parentId": null,
                     *           "isOrganization": false
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Team"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "name": "Sales",
                     *         "slug": "sales",
                     *         "role": "OWNER",
                     *         "parentId": null,
                     *         "isOrganization": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Team"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found, or the user is not a member. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listTeamMemberships: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "userId": 1,
                     *           "teamId": 1,
                     *           "role": "OWNER",
                     *           "accepted": true,
                     *           "user": {
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "email": "ann@example.com"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["TeamMembership"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found, or the user is not a member. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listTeamBookings: {
        parameters: {
            query?: {
                /** @description Filter by status. unconfirmed: pending and not in the past. recurring: always empty, because bookings don’t repeat. */
                status?: components["schemas"]["ListedStatus"][];
                /** @description Filter by attendee email. */
                attendeeEmail?: string;
                /** @description Filter by attendee name (partial match). */
                attendeeName?: string;
                /** @description Filter by booking uid. */
                bookingUid?: string;
                /** @description Filter by event type. */
                eventTypeId?: number;
                /** @description Filter by event types. */
                eventTypeIds?: number[];
                /** @description Filter by team. */
                teamId?: number;
                /** @description Filter by teams. */
                teamsIds?: number[];
                /** @description Filter by start, at or after this. A date means the start of that day in UTC. */
                afterStart?: string;
                /** @description Filter by end, at or before this. A date means the end of that day in UTC. */
                beforeEnd?: string;
                /** @description Filter by creation, at or after this. A date means the start of that day in UTC. */
                afterCreatedAt?: string;
                /** @description Filter by creation, at or before this. A date means the end of that day in UTC. */
                beforeCreatedAt?: string;
                /** @description Filter by last change, at or after this. A date means the start of that day in UTC. */
                afterUpdatedAt?: string;
                /** @description Filter by last change, at or before this. A date means the end of that day in UTC. */
                beforeUpdatedAt?: string;
                /** @description Sort by start. */
                sortStart?: components["schemas"]["SortOrder"];
                /** @description Sort by end. */
                sortEnd?: components["schemas"]["SortOrder"];
                /** @description Sort by creation. */
                sortCreated?: components["schemas"]["SortOrder"];
                /** @description Sort by last change. */
                sortUpdatedAt?: components["schemas"]["SortOrder"];
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *           "title": "30 minutes between Ann Smith and Bob Jones",
                     *           "description": "",
                     *           "status": "accepted",
                     *           "start": "2030-01-07T09:00:00.000Z",
                     *           "end": "2030-01-07T09:30:00.000Z",
                     *           "duration": 30,
                     *           "eventTypeId": 1,
                     *           "eventType": {
                     *             "id": 1,
                     *             "slug": "30min"
                     *           },
                     *           "hosts": [
                     *             {
                     *               "id": 1,
                     *               "name": "Ann Smith",
                     *               "email": "ann@example.com",
                     *               "displayEmail": "ann@example.com",
                     *               "username": "ann",
                     *               "timeZone": "Europe/Berlin"
                     *             }
                     *           ],
                     *           "attendees": [
                     *             {
                     *               "name": "Bob Jones",
                     *               "email": "bob@example.com",
                     *               "displayEmail": "bob@example.com",
                     *               "timeZone": "Europe/Rome",
                     *               "language": "en",
                     *               "absent": false
                     *             }
                     *           ],
                     *           "location": "Main St 1, Springfield",
                     *           "guests": [
                     *             "carol@example.com"
                     *           ],
                     *           "bookingFieldsResponses": {},
                     *           "metadata": {},
                     *           "absentHost": false,
                     *           "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *           "createdAt": "2030-01-02T12:00:00.000Z",
                     *           "updatedAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found, or the user is not a member. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listTeamSchedules: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-11. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "ownerId": 1,
                     *           "name": "Working hours",
                     *           "timeZone": "Europe/Berlin",
                     *           "isDefault": false,
                     *           "availability": [
                     *             {
                     *               "days": [
                     *                 "Monday"
                     *               ],
                     *               "startTime": "09:00",
                     *               "endTime": "17:00"
                     *             }
                     *           ],
                     *           "overrides": [
                     *             {
                     *               "date": "2030-12-24",
                     *               "startTime": "00:00",
                     *               "endTime": "00:00"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Schedule"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found, or the user is not a member. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: {
                /** @description Filter by slug. */
                eventSlug?: string;
                /** @description Sort by creation time. In default order, which is unspecified, and ascending, pages stay stable. */
                sortCreatedAt?: components["schemas"]["SortOrder"];
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
                /** @description The user whose public event types to list. */
                username?: string;
                /** @description Up to 10 users whose public event types to list. */
                usernames?: string[];
                /** @description Slug of the organization that these users belong to; others’ event types are left out. */
                orgSlug?: string;
                /** @description ID of the organization that these users belong to; others’ event types are left out. */
                orgId?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "ownerId": 1,
                     *           "teamId": null,
                     *           "title": "30 minutes",
                     *           "slug": "30min",
                     *           "description": "",
                     *           "lengthInMinutes": 30,
                     *           "hidden": false,
                     *           "locations": [
                     *             {
                     *               "type": "address",
                     *               "address": "Main St 1, Springfield",
                     *               "public": true
                     *             }
                     *           ],
                     *           "bookingFields": [
                     *             {
                     *               "type": "text",
                     *               "slug": "company",
                     *               "label": "Company",
                     *               "required": true,
                     *               "hidden": false,
                     *               "isDefault": false
                     *             }
                     *           ],
                     *           "disableGuests": false,
                     *           "bookingUrl": "https://cal.example/ann/30min",
                     *           "scheduleId": null,
                     *           "beforeEventBuffer": 0,
                     *           "afterEventBuffer": 10,
                     *           "minimumBookingNotice": 120,
                     *           "slotInterval": null,
                     *           "bookingLimitsCount": {
                     *             "day": 3
                     *           },
                     *           "bookingWindow": {
                     *             "type": "calendarDays",
                     *             "value": 30
                     *           },
                     *           "confirmationPolicy": {
                     *             "type": "always",
                     *             "blockUnconfirmedBookingsInBooker": true
                     *           },
                     *           "schedulingType": null,
                     *           "users": [
                     *             {
                     *               "id": 1,
                     *               "name": "Ann Smith",
                     *               "username": "ann",
                     *               "weekStart": "Monday",
                     *               "avatarUrl": null,
                     *               "brandColor": null,
                     *               "darkBrandColor": null,
                     *               "metadata": {}
                     *             }
                     *           ],
                     *           "hosts": [],
                     *           "team": null,
                     *           "recurrence": null,
                     *           "metadata": {},
                     *           "price": 0,
                     *           "currency": "usd",
                     *           "isInstantEvent": false,
                     *           "bookingRequiresAuthentication": false,
                     *           "lockTimeZoneToggleOnBookingPage": false,
                     *           "successRedirectUrl": null,
                     *           "forwardParamsSuccessRedirect": false,
                     *           "createdAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "30 minutes",
                 *       "slug": "30min",
                 *       "lengthInMinutes": 30,
                 *       "afterEventBuffer": 10
                 *     }
                 */
                "application/json": components["schemas"]["NewEventType"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The slug is already taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listTeamEventTypes: {
        parameters: {
            query?: {
                /** @description Filter by slug. */
                eventSlug?: string;
                /** @description Sort by creation time. In default order, which is unspecified, and ascending, pages stay stable. */
                sortCreatedAt?: components["schemas"]["SortOrder"];
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Number of hosts to show of each. */
                hostsLimit?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "ownerId": 1,
                     *           "teamId": null,
                     *           "title": "30 minutes",
                     *           "slug": "30min",
                     *           "description": "",
                     *           "lengthInMinutes": 30,
                     *           "hidden": false,
                     *           "locations": [
                     *             {
                     *               "type": "address",
                     *               "address": "Main St 1, Springfield",
                     *               "public": true
                     *             }
                     *           ],
                     *           "bookingFields": [
                     *             {
                     *               "type": "text",
                     *               "slug": "company",
                     *               "label": "Company",
                     *               "required": true,
                     *               "hidden": false,
                     *               "isDefault": false
                     *             }
                     *           ],
                     *           "disableGuests": false,
                     *           "bookingUrl": "https://cal.example/ann/30min",
                     *           "scheduleId": null,
                     *           "beforeEventBuffer": 0,
                     *           "afterEventBuffer": 10,
                     *           "minimumBookingNotice": 120,
                     *           "slotInterval": null,
                     *           "bookingLimitsCount": {
                     *             "day": 3
                     *           },
                     *           "bookingWindow": {
                     *             "type": "calendarDays",
                     *             "value": 30
                     *           },
                     *           "confirmationPolicy": {
                     *             "type": "always",
                     *             "blockUnconfirmedBookingsInBooker": true
                     *           },
                     *           "schedulingType": null,
                     *           "users": [
                     *             {
                     *               "id": 1,
                     *               "name": "Ann Smith",
                     *               "username": "ann",
                     *               "weekStart": "Monday",
                     *               "avatarUrl": null,
                     *               "brandColor": null,
                     *               "darkBrandColor": null,
                     *               "metadata": {}
                     *             }
                     *           ],
                     *           "hosts": [],
                     *           "team": null,
                     *           "recurrence": null,
                     *           "metadata": {},
                     *           "price": 0,
                     *           "currency": "usd",
                     *           "isInstantEvent": false,
                     *           "bookingRequiresAuthentication": false,
                     *           "lockTimeZoneToggleOnBookingPage": false,
                     *           "successRedirectUrl": null,
                     *           "forwardParamsSuccessRedirect": false,
                     *           "createdAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found, or the user is not a member. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createTeamEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Product demo",
                 *       "slug": "demo",
                 *       "lengthInMinutes": 45,
                 *       "schedulingType": "roundRobin",
                 *       "hosts": [
                 *         {
                 *           "userId": 42
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewTeamEventType"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Team not found, or the user is not a member. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The slug is already taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Half an hour",
                 *       "hidden": true
                 *     }
                 */
                "application/json": components["schemas"]["EventTypeChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The slug is already taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getTeamEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteTeamEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateTeamEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The team ID.
                 * @example 42
                 */
                teamId: number;
                /**
                 * @description The event type ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Half an hour",
                 *       "hidden": true
                 *     }
                 */
                "application/json": components["schemas"]["EventTypeChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "teamId": null,
                     *         "title": "30 minutes",
                     *         "slug": "30min",
                     *         "description": "",
                     *         "lengthInMinutes": 30,
                     *         "hidden": false,
                     *         "locations": [
                     *           {
                     *             "type": "address",
                     *             "address": "Main St 1, Springfield",
                     *             "public": true
                     *           }
                     *         ],
                     *         "bookingFields": [
                     *           {
                     *             "type": "text",
                     *             "slug": "company",
                     *             "label": "Company",
                     *             "required": true,
                     *             "hidden": false,
                     *             "isDefault": false
                     *           }
                     *         ],
                     *         "disableGuests": false,
                     *         "bookingUrl": "https://cal.example/ann/30min",
                     *         "scheduleId": null,
                     *         "beforeEventBuffer": 0,
                     *         "afterEventBuffer": 10,
                     *         "minimumBookingNotice": 120,
                     *         "slotInterval": null,
                     *         "bookingLimitsCount": {
                     *           "day": 3
                     *         },
                     *         "bookingWindow": {
                     *           "type": "calendarDays",
                     *           "value": 30
                     *         },
                     *         "confirmationPolicy": {
                     *           "type": "always",
                     *           "blockUnconfirmedBookingsInBooker": true
                     *         },
                     *         "schedulingType": null,
                     *         "users": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "username": "ann",
                     *             "weekStart": "Monday",
                     *             "avatarUrl": null,
                     *             "brandColor": null,
                     *             "darkBrandColor": null,
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "hosts": [],
                     *         "team": null,
                     *         "recurrence": null,
                     *         "metadata": {},
                     *         "price": 0,
                     *         "currency": "usd",
                     *         "isInstantEvent": false,
                     *         "bookingRequiresAuthentication": false,
                     *         "lockTimeZoneToggleOnBookingPage": false,
                     *         "successRedirectUrl": null,
                     *         "forwardParamsSuccessRedirect": false,
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The slug is already taken. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-11. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "ownerId": 1,
                     *           "name": "Working hours",
                     *           "timeZone": "Europe/Berlin",
                     *           "isDefault": false,
                     *           "availability": [
                     *             {
                     *               "days": [
                     *                 "Monday"
                     *               ],
                     *               "startTime": "09:00",
                     *               "endTime": "17:00"
                     *             }
                     *           ],
                     *           "overrides": [
                     *             {
                     *               "date": "2030-12-24",
                     *               "startTime": "00:00",
                     *               "endTime": "00:00"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Schedule"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-11. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Working hours",
                 *       "timeZone": "Europe/Berlin",
                 *       "isDefault": false
                 *     }
                 */
                "application/json": components["schemas"]["NewSchedule"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "name": "Working hours",
                     *         "timeZone": "Europe/Berlin",
                     *         "isDefault": false,
                     *         "availability": [
                     *           {
                     *             "days": [
                     *               "Monday"
                     *             ],
                     *             "startTime": "09:00",
                     *             "endTime": "17:00"
                     *           }
                     *         ],
                     *         "overrides": [
                     *           {
                     *             "date": "2030-12-24",
                     *             "startTime": "00:00",
                     *             "endTime": "00:00"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description You have 50 schedules, the maximum. Delete one first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getDefaultSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-11. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "name": "Working hours",
                     *         "timeZone": "Europe/Berlin",
                     *         "isDefault": false,
                     *         "availability": [
                     *           {
                     *             "days": [
                     *               "Monday"
                     *             ],
                     *             "startTime": "09:00",
                     *             "endTime": "17:00"
                     *           }
                     *         ],
                     *         "overrides": [
                     *           {
                     *             "date": "2030-12-24",
                     *             "startTime": "00:00",
                     *             "endTime": "00:00"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The user has no schedules. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-11. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The schedule ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "name": "Working hours",
                     *         "timeZone": "Europe/Berlin",
                     *         "isDefault": false,
                     *         "availability": [
                     *           {
                     *             "days": [
                     *               "Monday"
                     *             ],
                     *             "startTime": "09:00",
                     *             "endTime": "17:00"
                     *           }
                     *         ],
                     *         "overrides": [
                     *           {
                     *             "date": "2030-12-24",
                     *             "startTime": "00:00",
                     *             "endTime": "00:00"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Schedule not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-11. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The schedule ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Schedule not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-11. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The schedule ID.
                 * @example 42
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Summer hours",
                 *       "timeZone": "Europe/Rome"
                 *     }
                 */
                "application/json": components["schemas"]["ScheduleChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "ownerId": 1,
                     *         "name": "Working hours",
                     *         "timeZone": "Europe/Berlin",
                     *         "isDefault": false,
                     *         "availability": [
                     *           {
                     *             "days": [
                     *               "Monday"
                     *             ],
                     *             "startTime": "09:00",
                     *             "endTime": "17:00"
                     *           }
                     *         ],
                     *         "overrides": [
                     *           {
                     *             "date": "2030-12-24",
                     *             "startTime": "00:00",
                     *             "endTime": "00:00"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Schedule"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Schedule not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listCalendars: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "connectedCalendars": [
                     *           {
                     *             "id": 1,
                     *             "kind": "ics_feed",
                     *             "name": "Work",
                     *             "createdAt": "2030-01-02T12:00:00.000Z",
                     *             "credentialId": 1,
                     *             "integration": {
                     *               "type": "caldav_calendar",
                     *               "name": "CalDAV",
                     *               "title": "CalDAV",
                     *               "slug": "caldav",
                     *               "description": "text",
                     *               "variant": "text",
                     *               "categories": [
                     *                 "text"
                     *               ],
                     *               "publisher": "text",
                     *               "logo": "text",
                     *               "url": "text",
                     *               "email": "text",
                     *               "locationOption": null
                     *             },
                     *             "calendars": [
                     *               {
                     *                 "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
                     *                 "name": "Work",
                     *                 "integration": "caldav_calendar",
                     *                 "credentialId": 1,
                     *                 "primary": false,
                     *                 "readOnly": false,
                     *                 "isSelected": false
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "destinationCalendar": {
                     *           "id": 1,
                     *           "integration": "caldav_calendar",
                     *           "credentialId": 1,
                     *           "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
                     *           "name": "Work",
                     *           "userId": 1,
                     *           "eventTypeId": null,
                     *           "primaryEmail": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ConnectedCalendars"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    saveIcsFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "urls": [
                 *         "https://cal.example/ann.ics"
                 *       ],
                 *       "name": "Work"
                 *     }
                 */
                "application/json": components["schemas"]["NewIcsFeed"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "kind": "ics_feed",
                     *         "name": "Work",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Calendar"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The user already has 20 calendars. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many attempts to connect a calendar. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    saveCaldavCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The kind of account: `apple` is CalDAV at iCloud.
                 * @example caldav
                 */
                calendar: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://dav.example/ann/",
                 *       "username": "ann",
                 *       "password": "an-app-password"
                 *     }
                 */
                "application/json": components["schemas"]["NewCaldavCalendar"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "kind": "ics_feed",
                     *         "name": "Work",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Calendar"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The user already has 20 calendars. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many attempts to connect a calendar. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    checkIcsFeeds: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No calendar of this kind is connected. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description A calendar is unavailable. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    checkCalendars: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The kind of calendar.
                 * @example caldav
                 */
                calendar: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No calendar of this kind is connected. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description A calendar is unavailable. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    disconnectCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The calendar ID; or its kind, with `id` in the body, as in Cal.com.
                 * @example 42
                 */
                calendar: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Disconnection"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "kind": "ics_feed",
                     *         "name": "Work",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Calendar"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Calendar not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listBusyTimes: {
        parameters: {
            query: {
                /**
                 * @description Start of the range: YYYY-MM-DD or an ISO 8601 date-time.
                 * @example 2030-01-07
                 */
                dateFrom: string;
                /**
                 * @description End of the range: YYYY-MM-DD (includes that day) or an ISO 8601 date-time. Up to 92 days after `dateFrom`.
                 * @example 2030-01-07
                 */
                dateTo: string;
                /** @description Time zone of dates in the request and of the response. */
                timeZone?: string;
                /** @description Alias of `timeZone`, as in Cal.com. */
                loggedInUsersTz?: string;
                /** @description Filter by calendar ID; several as `calendarIds=1&calendarIds=2`. */
                calendarIds?: number[];
                /** @description Filter by connection, as in Cal.com: `credentialId` of the list. Cal.com’s `calendarsToLoad[0][credentialId]` works too. */
                credentialId?: number[];
                /** @description One of the connection’s calendars, in the order of `credentialId`. A connection is read as a whole. */
                externalId?: string[];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "start": "2030-01-07T09:00:00.000+01:00",
                     *           "end": "2030-01-07T10:00:00.000+01:00",
                     *           "source": "Work"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["BusyTime"][];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Calendar not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description A calendar is unavailable; `details` names it. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateDestinationCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "integration": "caldav_calendar",
                 *       "externalId": "Qm5vZ1ZhbHVlT2ZBbnk"
                 *     }
                 */
                "application/json": components["schemas"]["NewDestinationCalendar"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "integration": "caldav_calendar",
                     *         "credentialId": 1,
                     *         "externalId": "Qm5vZ1ZhbHVlT2ZBbnk",
                     *         "name": "Work",
                     *         "userId": 1,
                     *         "eventTypeId": null,
                     *         "primaryEmail": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["DestinationCalendar"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Calendar not found, or bookings can’t be written to it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listOrganizationTeamsEventTypes: {
        parameters: {
            query?: {
                /** @description Filter by slug. */
                eventSlug?: string;
                /** @description Sort by creation time. In default order, which is unspecified, and ascending, pages stay stable. */
                sortCreatedAt?: components["schemas"]["SortOrder"];
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-06-14. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The organization ID.
                 * @example 42
                 */
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "ownerId": 1,
                     *           "teamId": null,
                     *           "title": "30 minutes",
                     *           "slug": "30min",
                     *           "description": "",
                     *           "lengthInMinutes": 30,
                     *           "hidden": false,
                     *           "locations": [
                     *             {
                     *               "type": "address",
                     *               "address": "Main St 1, Springfield",
                     *               "public": true
                     *             }
                     *           ],
                     *           "bookingFields": [
                     *             {
                     *               "type": "text",
                     *               "slug": "company",
                     *               "label": "Company",
                     *               "required": true,
                     *               "hidden": false,
                     *               "isDefault": false
                     *             }
                     *           ],
                     *           "disableGuests": false,
                     *           "bookingUrl": "https://cal.example/ann/30min",
                     *           "scheduleId": null,
                     *           "beforeEventBuffer": 0,
                     *           "afterEventBuffer": 10,
                     *           "minimumBookingNotice": 120,
                     *           "slotInterval": null,
                     *           "bookingLimitsCount": {
                     *             "day": 3
                     *           },
                     *           "bookingWindow": {
                     *             "type": "calendarDays",
                     *             "value": 30
                     *           },
                     *           "confirmationPolicy": {
                     *             "type": "always",
                     *             "blockUnconfirmedBookingsInBooker": true
                     *           },
                     *           "schedulingType": null,
                     *           "users": [
                     *             {
                     *               "id": 1,
                     *               "name": "Ann Smith",
                     *               "username": "ann",
                     *               "weekStart": "Monday",
                     *               "avatarUrl": null,
                     *               "brandColor": null,
                     *               "darkBrandColor": null,
                     *               "metadata": {}
                     *             }
                     *           ],
                     *           "hosts": [],
                     *           "team": null,
                     *           "recurrence": null,
                     *           "metadata": {},
                     *           "price": 0,
                     *           "currency": "usd",
                     *           "isInstantEvent": false,
                     *           "bookingRequiresAuthentication": false,
                     *           "lockTimeZoneToggleOnBookingPage": false,
                     *           "successRedirectUrl": null,
                     *           "forwardParamsSuccessRedirect": false,
                     *           "createdAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["EventType"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Organization not found, or the user is not a member. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listBookings: {
        parameters: {
            query?: {
                /** @description Filter by status. unconfirmed: pending and not in the past. recurring: always empty, because bookings don’t repeat. */
                status?: components["schemas"]["ListedStatus"][];
                /** @description Filter by attendee email. */
                attendeeEmail?: string;
                /** @description Filter by attendee name (partial match). */
                attendeeName?: string;
                /** @description Filter by booking uid. */
                bookingUid?: string;
                /** @description Filter by event type. */
                eventTypeId?: number;
                /** @description Filter by event types. */
                eventTypeIds?: number[];
                /** @description Filter by team. */
                teamId?: number;
                /** @description Filter by teams. */
                teamsIds?: number[];
                /** @description Filter by start, at or after this. A date means the start of that day in UTC. */
                afterStart?: string;
                /** @description Filter by end, at or before this. A date means the end of that day in UTC. */
                beforeEnd?: string;
                /** @description Filter by creation, at or after this. A date means the start of that day in UTC. */
                afterCreatedAt?: string;
                /** @description Filter by creation, at or before this. A date means the end of that day in UTC. */
                beforeCreatedAt?: string;
                /** @description Filter by last change, at or after this. A date means the start of that day in UTC. */
                afterUpdatedAt?: string;
                /** @description Filter by last change, at or before this. A date means the end of that day in UTC. */
                beforeUpdatedAt?: string;
                /** @description Sort by start. */
                sortStart?: components["schemas"]["SortOrder"];
                /** @description Sort by end. */
                sortEnd?: components["schemas"]["SortOrder"];
                /** @description Sort by creation. */
                sortCreated?: components["schemas"]["SortOrder"];
                /** @description Sort by last change. */
                sortUpdatedAt?: components["schemas"]["SortOrder"];
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *           "title": "30 minutes between Ann Smith and Bob Jones",
                     *           "description": "",
                     *           "status": "accepted",
                     *           "start": "2030-01-07T09:00:00.000Z",
                     *           "end": "2030-01-07T09:30:00.000Z",
                     *           "duration": 30,
                     *           "eventTypeId": 1,
                     *           "eventType": {
                     *             "id": 1,
                     *             "slug": "30min"
                     *           },
                     *           "hosts": [
                     *             {
                     *               "id": 1,
                     *               "name": "Ann Smith",
                     *               "email": "ann@example.com",
                     *               "displayEmail": "ann@example.com",
                     *               "username": "ann",
                     *               "timeZone": "Europe/Berlin"
                     *             }
                     *           ],
                     *           "attendees": [
                     *             {
                     *               "name": "Bob Jones",
                     *               "email": "bob@example.com",
                     *               "displayEmail": "bob@example.com",
                     *               "timeZone": "Europe/Rome",
                     *               "language": "en",
                     *               "absent": false
                     *             }
                     *           ],
                     *           "location": "Main St 1, Springfield",
                     *           "guests": [
                     *             "carol@example.com"
                     *           ],
                     *           "bookingFieldsResponses": {},
                     *           "metadata": {},
                     *           "absentHost": false,
                     *           "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *           "createdAt": "2030-01-02T12:00:00.000Z",
                     *           "updatedAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createBooking: {
        parameters: {
            query?: {
                /** @description Ignore unavailable calendars, and go by the bookings in Latchkey only. */
                _silentCalendarFailures?: components["schemas"]["Flag"];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
                /** @description A key of your choice. Retry the same request with it for a day; it’s processed once. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventTypeId": 42,
                 *       "start": "2030-01-07T09:00:00Z",
                 *       "attendee": {
                 *         "name": "Bob Jones",
                 *         "email": "bob@example.com",
                 *         "timeZone": "Europe/Rome"
                 *       },
                 *       "guests": [
                 *         "carol@example.com"
                 *       ],
                 *       "bookingFieldsResponses": {
                 *         "notes": "Let us talk about the plan."
                 *       },
                 *       "metadata": {
                 *         "source": "website"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewBooking"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "title": "30 minutes between Ann Smith and Bob Jones",
                     *         "description": "",
                     *         "status": "accepted",
                     *         "start": "2030-01-07T09:00:00.000Z",
                     *         "end": "2030-01-07T09:30:00.000Z",
                     *         "duration": 30,
                     *         "eventTypeId": 1,
                     *         "eventType": {
                     *           "id": 1,
                     *           "slug": "30min"
                     *         },
                     *         "hosts": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "email": "ann@example.com",
                     *             "displayEmail": "ann@example.com",
                     *             "username": "ann",
                     *             "timeZone": "Europe/Berlin"
                     *           }
                     *         ],
                     *         "attendees": [
                     *           {
                     *             "name": "Bob Jones",
                     *             "email": "bob@example.com",
                     *             "displayEmail": "bob@example.com",
                     *             "timeZone": "Europe/Rome",
                     *             "language": "en",
                     *             "absent": false
                     *           }
                     *         ],
                     *         "location": "Main St 1, Springfield",
                     *         "guests": [
                     *           "carol@example.com"
                     *         ],
                     *         "bookingFieldsResponses": {},
                     *         "metadata": {},
                     *         "absentHost": false,
                     *         "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "updatedAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such event type. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The slot isn’t available, or the Idempotency-Key was used with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many bookings, or emails about them, with this access or from this network. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "title": "30 minutes between Ann Smith and Bob Jones",
                     *         "description": "",
                     *         "status": "accepted",
                     *         "start": "2030-01-07T09:00:00.000Z",
                     *         "end": "2030-01-07T09:30:00.000Z",
                     *         "duration": 30,
                     *         "eventTypeId": 1,
                     *         "eventType": {
                     *           "id": 1,
                     *           "slug": "30min"
                     *         },
                     *         "hosts": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "email": "ann@example.com",
                     *             "displayEmail": "ann@example.com",
                     *             "username": "ann",
                     *             "timeZone": "Europe/Berlin"
                     *           }
                     *         ],
                     *         "attendees": [
                     *           {
                     *             "name": "Bob Jones",
                     *             "email": "bob@example.com",
                     *             "displayEmail": "bob@example.com",
                     *             "timeZone": "Europe/Rome",
                     *             "language": "en",
                     *             "absent": false
                     *           }
                     *         ],
                     *         "location": "Main St 1, Springfield",
                     *         "guests": [
                     *           "carol@example.com"
                     *         ],
                     *         "bookingFieldsResponses": {},
                     *         "metadata": {},
                     *         "absentHost": false,
                     *         "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "updatedAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getBookingCalendarLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "label": "Google Calendar",
                     *           "link": "https://calendar.google.com/calendar/render"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: {
                            /** @example Google Calendar */
                            label: string;
                            /**
                             * Format: uri
                             * @example https://calendar.google.com/calendar/render
                             */
                            link: string;
                        }[];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    cancelBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "cancellationReason": "I am ill."
                 *     }
                 */
                "application/json": components["schemas"]["Cancellation"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "title": "30 minutes between Ann Smith and Bob Jones",
                     *         "description": "",
                     *         "status": "accepted",
                     *         "start": "2030-01-07T09:00:00.000Z",
                     *         "end": "2030-01-07T09:30:00.000Z",
                     *         "duration": 30,
                     *         "eventTypeId": 1,
                     *         "eventType": {
                     *           "id": 1,
                     *           "slug": "30min"
                     *         },
                     *         "hosts": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "email": "ann@example.com",
                     *             "displayEmail": "ann@example.com",
                     *             "username": "ann",
                     *             "timeZone": "Europe/Berlin"
                     *           }
                     *         ],
                     *         "attendees": [
                     *           {
                     *             "name": "Bob Jones",
                     *             "email": "bob@example.com",
                     *             "displayEmail": "bob@example.com",
                     *             "timeZone": "Europe/Rome",
                     *             "language": "en",
                     *             "absent": false
                     *           }
                     *         ],
                     *         "location": "Main St 1, Springfield",
                     *         "guests": [
                     *           "carol@example.com"
                     *         ],
                     *         "bookingFieldsResponses": {},
                     *         "metadata": {},
                     *         "absentHost": false,
                     *         "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "updatedAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not possible in the booking’s current state; the message says why. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    confirmBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "title": "30 minutes between Ann Smith and Bob Jones",
                     *         "description": "",
                     *         "status": "accepted",
                     *         "start": "2030-01-07T09:00:00.000Z",
                     *         "end": "2030-01-07T09:30:00.000Z",
                     *         "duration": 30,
                     *         "eventTypeId": 1,
                     *         "eventType": {
                     *           "id": 1,
                     *           "slug": "30min"
                     *         },
                     *         "hosts": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "email": "ann@example.com",
                     *             "displayEmail": "ann@example.com",
                     *             "username": "ann",
                     *             "timeZone": "Europe/Berlin"
                     *           }
                     *         ],
                     *         "attendees": [
                     *           {
                     *             "name": "Bob Jones",
                     *             "email": "bob@example.com",
                     *             "displayEmail": "bob@example.com",
                     *             "timeZone": "Europe/Rome",
                     *             "language": "en",
                     *             "absent": false
                     *           }
                     *         ],
                     *         "location": "Main St 1, Springfield",
                     *         "guests": [
                     *           "carol@example.com"
                     *         ],
                     *         "bookingFieldsResponses": {},
                     *         "metadata": {},
                     *         "absentHost": false,
                     *         "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "updatedAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not possible in the booking’s current state; the message says why. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    declineBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "I am away on that day."
                 *     }
                 */
                "application/json": components["schemas"]["Declination"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "title": "30 minutes between Ann Smith and Bob Jones",
                     *         "description": "",
                     *         "status": "accepted",
                     *         "start": "2030-01-07T09:00:00.000Z",
                     *         "end": "2030-01-07T09:30:00.000Z",
                     *         "duration": 30,
                     *         "eventTypeId": 1,
                     *         "eventType": {
                     *           "id": 1,
                     *           "slug": "30min"
                     *         },
                     *         "hosts": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "email": "ann@example.com",
                     *             "displayEmail": "ann@example.com",
                     *             "username": "ann",
                     *             "timeZone": "Europe/Berlin"
                     *           }
                     *         ],
                     *         "attendees": [
                     *           {
                     *             "name": "Bob Jones",
                     *             "email": "bob@example.com",
                     *             "displayEmail": "bob@example.com",
                     *             "timeZone": "Europe/Rome",
                     *             "language": "en",
                     *             "absent": false
                     *           }
                     *         ],
                     *         "location": "Main St 1, Springfield",
                     *         "guests": [
                     *           "carol@example.com"
                     *         ],
                     *         "bookingFieldsResponses": {},
                     *         "metadata": {},
                     *         "absentHost": false,
                     *         "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "updatedAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not possible in the booking’s current state; the message says why. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    rescheduleBooking: {
        parameters: {
            query?: {
                /** @description Ignore unavailable calendars, and go by the bookings in Latchkey only. */
                _silentCalendarFailures?: components["schemas"]["Flag"];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "start": "2030-01-08T10:00:00Z",
                 *       "reschedulingReason": "Something came up."
                 *     }
                 */
                "application/json": components["schemas"]["Rescheduling"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "uid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "title": "30 minutes between Ann Smith and Bob Jones",
                     *         "description": "",
                     *         "status": "accepted",
                     *         "start": "2030-01-07T09:00:00.000Z",
                     *         "end": "2030-01-07T09:30:00.000Z",
                     *         "duration": 30,
                     *         "eventTypeId": 1,
                     *         "eventType": {
                     *           "id": 1,
                     *           "slug": "30min"
                     *         },
                     *         "hosts": [
                     *           {
                     *             "id": 1,
                     *             "name": "Ann Smith",
                     *             "email": "ann@example.com",
                     *             "displayEmail": "ann@example.com",
                     *             "username": "ann",
                     *             "timeZone": "Europe/Berlin"
                     *           }
                     *         ],
                     *         "attendees": [
                     *           {
                     *             "name": "Bob Jones",
                     *             "email": "bob@example.com",
                     *             "displayEmail": "bob@example.com",
                     *             "timeZone": "Europe/Rome",
                     *             "language": "en",
                     *             "absent": false
                     *           }
                     *         ],
                     *         "location": "Main St 1, Springfield",
                     *         "guests": [
                     *           "carol@example.com"
                     *         ],
                     *         "bookingFieldsResponses": {},
                     *         "metadata": {},
                     *         "absentHost": false,
                     *         "icsUid": "4f9c2e71b0d85a3369fe1c2d@latchkey",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "updatedAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Booking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not possible in the booking’s current state; the message says why. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    reassignBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "She knows more about it."
                 *     }
                 */
                "application/json": components["schemas"]["Reassignment"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "bookingUid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "reassignedTo": {
                     *           "id": 1,
                     *           "name": "Ann Smith",
                     *           "email": "ann@example.com",
                     *           "displayEmail": "ann@example.com"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ReassignedBooking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not possible in the booking’s current state; the message says why. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    reassignBookingToUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-08-13. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The booking UID.
                 * @example 4f9c2e71b0d85a3369fe1c2d
                 */
                uid: string;
                /**
                 * @description The new host.
                 * @example 42
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "She knows more about it."
                 *     }
                 */
                "application/json": components["schemas"]["Reassignment"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "bookingUid": "4f9c2e71b0d85a3369fe1c2d",
                     *         "reassignedTo": {
                     *           "id": 1,
                     *           "name": "Ann Smith",
                     *           "email": "ann@example.com",
                     *           "displayEmail": "ann@example.com"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ReassignedBooking"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Insufficient scope, or the user isn’t allowed to do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such booking, or not visible to this user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not possible in the booking’s current state; the message says why. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests; Retry-After says when to go on. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listSlots: {
        parameters: {
            query: {
                /**
                 * @description Start of the range: YYYY-MM-DD or an ISO 8601 date-time.
                 * @example 2030-01-07
                 */
                start: string;
                /**
                 * @description End of the range: YYYY-MM-DD (includes that day) or an ISO 8601 date-time. Up to 92 days after the start.
                 * @example 2030-01-07
                 */
                end: string;
                /**
                 * @description The event type ID. Or send `eventTypeSlug` with its owner.
                 * @example 42
                 */
                eventTypeId?: number;
                /** @description The slug, together with the user or team that owns it. */
                eventTypeSlug?: string;
                /** @description The slug of the team that owns `eventTypeSlug`. */
                teamSlug?: string;
                /** @description The slug of the organization of that user or team; with another one nothing is found. */
                organizationSlug?: string;
                /** @description The username of the user who owns `eventTypeSlug`. */
                username?: string;
                /** @description The same as `username`: one user. Those of several have no common slots; use a team. */
                usernames?: string[];
                /** @description Time zone of dates in the request and of the response. */
                timeZone?: string;
                /** @description One of the event type’s lengths, or the length of the booking to reschedule. */
                duration?: number;
                /** @description The booking to reschedule: its current time counts as free, and it keeps its length. */
                bookingUidToReschedule?: string;
                /** @description Ignore unavailable calendars, and go by the bookings in Latchkey only. */
                _silentCalendarFailures?: components["schemas"]["Flag"];
                /** @description `range` adds the end of each slot. */
                format?: components["schemas"]["SlotFormat"];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-09-04. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "2030-01-07": [
                     *           {
                     *             "start": "2030-01-07T09:00:00.000+01:00"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Slots"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, with this access or from this network. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listAvailableSlots: {
        parameters: {
            query: {
                /**
                 * @description Start of the range: YYYY-MM-DD or an ISO 8601 date-time.
                 * @example 2030-01-07
                 */
                startTime: string;
                /**
                 * @description End of the range: YYYY-MM-DD (includes that day) or an ISO 8601 date-time. Up to 92 days after the start.
                 * @example 2030-01-07
                 */
                endTime: string;
                /**
                 * @description The event type ID. Or send `eventTypeSlug` with its owner.
                 * @example 42
                 */
                eventTypeId?: number;
                /** @description The slug, together with the user or team that owns it. */
                eventTypeSlug?: string;
                /** @description The slug of the team that owns `eventTypeSlug`. */
                teamSlug?: string;
                /** @description The slug of the organization of that user or team; with another one nothing is found. */
                organizationSlug?: string;
                /** @description The username of the user who owns `eventTypeSlug`. */
                usernameList?: string[];
                /** @description Time zone of dates in the request and of the response. */
                timeZone?: string;
                /** @description One of the event type’s lengths, or the length of the booking to reschedule. */
                duration?: number;
                /** @description The booking to reschedule: its current time counts as free, and it keeps its length. */
                bookingUidToReschedule?: string;
                /** @description Ignore unavailable calendars, and go by the bookings in Latchkey only. */
                _silentCalendarFailures?: components["schemas"]["Flag"];
                /** @description `range` adds the end of each slot. */
                slotFormat?: components["schemas"]["SlotFormat"];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "slots": {
                     *           "2030-01-07": [
                     *             {
                     *               "time": "2030-01-07T09:00:00.000+01:00"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["AvailableSlots"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, with this access or from this network. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    reserveSlot: {
        parameters: {
            query?: {
                /** @description Ignore unavailable calendars, and go by the bookings in Latchkey only. */
                _silentCalendarFailures?: components["schemas"]["Flag"];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-09-04. */
                "cal-api-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventTypeId": 42,
                 *       "slotStart": "2030-01-07T09:00:00Z",
                 *       "reservationDuration": 5
                 *     }
                 */
                "application/json": components["schemas"]["NewReservation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "eventTypeId": 1,
                     *         "slotStart": "2030-01-07T09:00:00.000Z",
                     *         "slotEnd": "2030-01-07T09:30:00.000Z",
                     *         "slotDuration": 30,
                     *         "reservationDuration": 5,
                     *         "reservationUid": "0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90",
                     *         "reservationUntil": "2030-01-07T08:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Reservation"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The slot is not available. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, with this access or from this network. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getReservation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-09-04. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The `reservationUid`.
                 * @example 0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "eventTypeId": 1,
                     *         "slotStart": "2030-01-07T09:00:00.000Z",
                     *         "slotEnd": "2030-01-07T09:30:00.000Z",
                     *         "slotDuration": 30,
                     *         "reservationDuration": 5,
                     *         "reservationUid": "0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90",
                     *         "reservationUntil": "2030-01-07T08:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Reservation"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Reservation not found, released or expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, with this access or from this network. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    releaseSlot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-09-04. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The `reservationUid`.
                 * @example 0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Reservation not found, released or expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, with this access or from this network. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateReservation: {
        parameters: {
            query?: {
                /** @description Ignore unavailable calendars, and go by the bookings in Latchkey only. */
                _silentCalendarFailures?: components["schemas"]["Flag"];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-09-04. */
                "cal-api-version"?: string;
            };
            path: {
                /**
                 * @description The `reservationUid`.
                 * @example 0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90
                 */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventTypeId": 42,
                 *       "slotStart": "2030-01-07T09:00:00Z",
                 *       "reservationDuration": 5
                 *     }
                 */
                "application/json": components["schemas"]["NewReservation"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "eventTypeId": 1,
                     *         "slotStart": "2030-01-07T09:00:00.000Z",
                     *         "slotEnd": "2030-01-07T09:30:00.000Z",
                     *         "slotDuration": 30,
                     *         "reservationDuration": 5,
                     *         "reservationUid": "0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90",
                     *         "reservationUntil": "2030-01-07T08:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Reservation"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Reservation or event type not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The slot is not available. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, with this access or from this network. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No host’s calendars can be read, or one host’s of a collective event; `details` names the calendar to its owner and to managers of their teams. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listAppWebhooks: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "subscriberUrl": "https://app.example/webhooks",
                     *           "triggers": [
                     *             "BOOKING_CREATED"
                     *           ],
                     *           "active": false,
                     *           "payloadTemplate": null,
                     *           "version": "2021-10-20",
                     *           "failingSince": "2030-01-07T09:00:00Z",
                     *           "disabledAt": "2030-01-07T09:00:00Z",
                     *           "createdAt": "2030-01-02T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createAppWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscriberUrl": "https://app.example/webhooks",
                 *       "triggers": [
                 *         "BOOKING_CREATED",
                 *         "ACCESS_REMOVED"
                 *       ],
                 *       "active": true
                 *     }
                 */
                "application/json": components["schemas"]["NewAppWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "secret": "a-long-random-secret"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description There are 20 webhooks, the maximum. Delete one first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteAllAppWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": "text"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: string;
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getAppWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteAppWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateAppWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["AppWebhookChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "subscriberUrl": "https://app.example/webhooks",
                     *         "triggers": [
                     *           "BOOKING_CREATED"
                     *         ],
                     *         "active": false,
                     *         "payloadTemplate": null,
                     *         "version": "2021-10-20",
                     *         "failingSince": "2030-01-07T09:00:00Z",
                     *         "disabledAt": "2030-01-07T09:00:00Z",
                     *         "createdAt": "2030-01-02T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    testAppWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listAppWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *           "triggerEvent": "BOOKING_CREATED",
                     *           "state": "waiting",
                     *           "attempts": 1,
                     *           "status": 1,
                     *           "failure": "text",
                     *           "durationMs": 1,
                     *           "createdAt": "2030-01-02T12:00:00.000Z",
                     *           "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    resendAppWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The webhook ID.
                 * @example 0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90
                 */
                webhookId: string;
                /**
                 * @description The delivery ID.
                 * @example 7
                 */
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "eventId": "0f3b7c52-8f53-4f0e-9a4e-2f7e8c1d6b90",
                     *         "triggerEvent": "BOOKING_CREATED",
                     *         "state": "waiting",
                     *         "attempts": 1,
                     *         "status": 1,
                     *         "failure": "text",
                     *         "durationMs": 1,
                     *         "createdAt": "2030-01-02T12:00:00.000Z",
                     *         "nextAttemptAt": "2030-01-07T09:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Webhook or delivery not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The webhook is turned off. Turn it on first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listManagedUsers: {
        parameters: {
            query?: {
                /** @description Number of items to return. */
                take?: number;
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Alias of `take`. */
                limit?: number;
                /** @description Alias of `skip`. */
                offset?: number;
                /** @description Filter by email address, with or without the suffix: up to 100. */
                emails?: string[];
            };
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "email": "alice+4f9c2e71b0d85a3369fe1c2d7@example.com",
                     *           "displayEmail": "alice@example.com",
                     *           "username": null,
                     *           "name": "Alice Smith",
                     *           "timeZone": "Europe/Rome",
                     *           "weekStart": "Monday",
                     *           "timeFormat": 12,
                     *           "defaultScheduleId": null,
                     *           "createdDate": "2030-01-07T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalItems": 1,
                     *         "returnedItems": 1,
                     *         "itemsPerPage": 100,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "remainingItems": 0,
                     *         "hasNextPage": false,
                     *         "hasPreviousPage": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ManagedUser"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createManagedUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "alice@example.com",
                 *       "name": "Alice Smith",
                 *       "timeZone": "Europe/Rome"
                 *     }
                 */
                "application/json": components["schemas"]["NewManagedUser"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "user": {
                     *           "id": 1,
                     *           "email": "alice+4f9c2e71b0d85a3369fe1c2d7@example.com",
                     *           "displayEmail": "alice@example.com",
                     *           "username": null,
                     *           "name": "Alice Smith",
                     *           "timeZone": "Europe/Rome",
                     *           "weekStart": "Monday",
                     *           "timeFormat": 12,
                     *           "defaultScheduleId": null,
                     *           "createdDate": "2030-01-07T09:00:00.000Z"
                     *         },
                     *         "accessToken": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example",
                     *         "accessTokenExpiresAt": 1893403800000,
                     *         "refreshToken": "lkr_the_first_refresh_token",
                     *         "refreshTokenExpiresAt": 1895994000000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["CreatedManagedUser"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client already manages a user with this email address. Or: The client manages 10000 users, the maximum. Delete one first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getManagedUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The ID of a managed user.
                 * @example 42
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "email": "alice+4f9c2e71b0d85a3369fe1c2d7@example.com",
                     *         "displayEmail": "alice@example.com",
                     *         "username": null,
                     *         "name": "Alice Smith",
                     *         "timeZone": "Europe/Rome",
                     *         "weekStart": "Monday",
                     *         "timeFormat": 12,
                     *         "defaultScheduleId": null,
                     *         "createdDate": "2030-01-07T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ManagedUser"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Managed user not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteManagedUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The ID of a managed user.
                 * @example 42
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "email": "alice+4f9c2e71b0d85a3369fe1c2d7@example.com",
                     *         "displayEmail": "alice@example.com",
                     *         "username": null,
                     *         "name": "Alice Smith",
                     *         "timeZone": "Europe/Rome",
                     *         "weekStart": "Monday",
                     *         "timeFormat": 12,
                     *         "defaultScheduleId": null,
                     *         "createdDate": "2030-01-07T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ManagedUser"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Managed user not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateManagedUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The ID of a managed user.
                 * @example 42
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeZone": "America/New_York",
                 *       "timeFormat": 12
                 *     }
                 */
                "application/json": components["schemas"]["ManagedUserChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": 1,
                     *         "email": "alice+4f9c2e71b0d85a3369fe1c2d7@example.com",
                     *         "displayEmail": "alice@example.com",
                     *         "username": null,
                     *         "name": "Alice Smith",
                     *         "timeZone": "Europe/Rome",
                     *         "weekStart": "Monday",
                     *         "timeFormat": 12,
                     *         "defaultScheduleId": null,
                     *         "createdDate": "2030-01-07T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ManagedUser"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Managed user not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client already manages a user with this email address. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    forceRefreshManagedUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any version of Cal.com’s. The response is in version 2024-04-15. */
                "cal-api-version"?: string;
            };
            path: {
                /** @description The client ID. */
                clientId: string;
                /**
                 * @description The ID of a managed user.
                 * @example 42
                 */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "accessToken": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example",
                     *         "accessTokenExpiresAt": 1893403800000,
                     *         "refreshToken": "lkr_the_first_refresh_token",
                     *         "refreshTokenExpiresAt": 1895994000000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "success";
                        data: components["schemas"]["ManagedUserTokens"];
                    };
                };
            };
            /** @description Invalid request; `details` names each invalid field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Unknown client or wrong secret. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The client can’t do this: it isn’t approved, is public or another one, or, for users, belongs to no platform. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Managed user not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests, or wrong secrets. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getUserinfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sub": "42",
                     *       "name": "Ann Smith",
                     *       "preferred_username": "ann",
                     *       "zoneinfo": "Europe/Berlin",
                     *       "locale": "en-GB",
                     *       "updated_at": 1893456000,
                     *       "email": "ann@example.com",
                     *       "email_verified": true
                     *     }
                     */
                    "application/json": components["schemas"]["Userinfo"];
                };
            };
            /** @description More than one access token. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token doesn’t have the scope openid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    postUserinfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sub": "42",
                     *       "name": "Ann Smith",
                     *       "preferred_username": "ann",
                     *       "zoneinfo": "Europe/Berlin",
                     *       "locale": "en-GB",
                     *       "updated_at": 1893456000,
                     *       "email": "ann@example.com",
                     *       "email_verified": true
                     *     }
                     */
                    "application/json": components["schemas"]["Userinfo"];
                };
            };
            /** @description More than one access token. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Missing or invalid access token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The access token doesn’t have the scope openid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The content type isn’t supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Try again in a few seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
}
