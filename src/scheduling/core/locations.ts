/** Where an event type takes place, as Cal.com names it. */
export type EventLocation =
  | { readonly type: 'address'; readonly address: string; readonly public: boolean }
  | { readonly type: 'link'; readonly link: string; readonly public: boolean }
  | { readonly type: 'phone'; readonly phone: string; readonly public: boolean }
  | { readonly type: 'attendeeAddress' | 'attendeePhone' | 'attendeeDefined' };

/** Where a booking takes place: what the host set, or the attendee told. */
export interface BookedLocation {
  readonly type: EventLocation['type'];
  readonly value: string;
}
