import type { Booking, EventType, Slots } from './calendar.ts';
import { type Html, html } from './html.ts';
import { appName, page } from './layout.ts';

export function eventTypeList(eventTypes: readonly EventType[], mayBook: boolean): Html {
  return html`<h2>What people can book</h2>
${eventTypes.length === 0 ? html`<p class="soft">There are no event types yet.</p>` : ''}
<ul class="rows" id="event-types">
${eventTypes.map(
  ({ id, title, lengthInMinutes, bookingUrl }) => html`<li>
<div><strong>${title}</strong><br><span class="soft">${String(lengthInMinutes)} minutes</span>
${bookingUrl === '' ? '' : html`· <a href="${bookingUrl}">Booking page<span class="unseen"> of ${title}</span></a>`}</div>
${mayBook ? html`<a class="button plain" href="/book?eventTypeId=${String(id)}">Book<span class="unseen"> ${title}</span></a>` : ''}
</li>`,
)}
</ul>`;
}

export function bookingList(bookings: readonly Booking[], timeZone: string, mayCancel: boolean): Html {
  return html`<h2>Next bookings</h2>
${bookings.length === 0 ? html`<p class="soft">There are none.</p>` : ''}
<ul class="rows" id="bookings">
${bookings.map(
  ({ uid, title, status, start }) => html`<li>
<div><strong>${title}</strong><br><time class="soft" datetime="${start}">${tellMoment(start, timeZone)}</time>
${status === 'pending' ? html`<span class="soft">· to be confirmed</span>` : ''}</div>
${mayCancel ? cancelForm(uid, title) : ''}
</li>`,
)}
</ul>
<p class="soft">Times are in ${timeZone}.</p>`;
}

function cancelForm(uid: string, title: string): Html {
  return html`<form method="post" action="/bookings/${encodeURIComponent(uid)}/cancel">
<button class="button plain" type="submit">Cancel<span class="unseen"> ${title}</span></button></form>`;
}

export interface TypedBooking {
  readonly eventTypeId: number;
  readonly start: string;
  readonly name: string;
  readonly email: string;
}

export interface BookPageContent {
  readonly eventType: EventType;
  readonly slots: Slots;
  readonly timeZone: string;
  readonly typed: TypedBooking;
  readonly fault: string | undefined;
  /** The Idempotency-Key of a form makes it book once, however often it is sent. */
  readonly key: string;
}

const shownDays = 5;

export function bookPage({ eventType, slots, timeZone, typed, fault, key }: BookPageContent): string {
  const days = Object.entries(slots).slice(0, shownDays);
  return page(
    `Book ${eventType.title} · ${appName}`,
    html`<h1>Book ${eventType.title}</h1>
${fault === undefined ? '' : html`<p class="notice" role="alert">${fault}</p>`}
${days.length === 0 ? html`<p>No time is free in the next two weeks.</p>` : slotForm()}
<p><a href="/">Back</a></p>`,
  );

  function slotForm(): Html {
    return html`<form method="post" action="/book" class="fields">
<input type="hidden" name="eventTypeId" value="${String(eventType.id)}">
<input type="hidden" name="key" value="${key}">
<label>Time (${timeZone})
<select name="start" required>
${days.map(
  ([date, starts]) => html`<optgroup label="${tellDay(date)}">
${starts.map(({ start }) => html`<option value="${start}"${start === typed.start ? ' selected' : ''}>${tellMoment(start, timeZone)}</option>`)}
</optgroup>`,
)}
</select></label>
<label>Guest’s name <input name="name" value="${typed.name}" maxlength="200" autocomplete="off" required></label>
<label>Guest’s email address
<input name="email" type="email" value="${typed.email}" maxlength="254" autocomplete="off" required></label>
<button class="button" type="submit">Book</button>
</form>`;
  }
}

/** A date is the same wherever it is read. */
function tellDay(date: string): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', day).format(new Date(date));
}

function tellMoment(instant: string, timeZone: string): string {
  const form = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat('en-GB', { ...form, timeZone }).format(new Date(instant));
}
