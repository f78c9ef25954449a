import { describeOperation, pageOf, successOf } from '../operation.ts';
import { eventTypeAnswer } from './response.ts';

const family = 'Event types';
const one = successOf(eventTypeAnswer);
const page = pageOf(eventTypeAnswer);

/** What the OpenAPI document says of each operation on event types. */
export const operations = {
  listEventTypes: describeOperation(
    {
      operationId: 'listEventTypes',
      summary: 'The event types of a user',
      description:
        'With username the public ones of that user, for anybody. Without it those of the token’s account, hidden ones too.',
      family,
      scope: 'EVENT_TYPE_READ',
      caller: 'anybody',
    },
    200,
    page,
  ),
  listTeamEventTypes: describeOperation(
    {
      operationId: 'listTeamEventTypes',
      summary: 'The event types of a team',
      description: 'For members of the team.',
      family,
      scope: 'EVENT_TYPE_READ',
      errors: { 404: 'The caller is in no such team.' },
    },
    200,
    page,
  ),
  listOrganizationTeamsEventTypes: describeOperation(
    {
      operationId: 'listOrganizationTeamsEventTypes',
      summary: 'The event types of all teams of an organization',
      description: 'For members of the organization; hidden ones for its owners and admins.',
      family,
      scope: 'EVENT_TYPE_READ',
      errors: { 404: 'The caller is in no such organization.' },
    },
    200,
    page,
  ),
  getEventType: describeOperation(
    {
      operationId: 'getEventType',
      summary: 'One event type of the user, or of a team of the user',
      family,
      scope: 'EVENT_TYPE_READ',
      errors: { 404: 'There is no such event type for this caller.' },
    },
    200,
    one,
  ),
  createEventType: describeOperation(
    {
      operationId: 'createEventType',
      summary: 'Make an event type',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: { 409: 'Another event type has this slug.' },
    },
    201,
    one,
  ),
  createTeamEventType: describeOperation(
    {
      operationId: 'createTeamEventType',
      summary: 'Make an event type of a team',
      description: 'For owners and admins of the team. Its hosts are members of the team.',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: { 404: 'The caller is in no such team.', 409: 'Another event type has this slug.' },
    },
    201,
    one,
  ),
  updateEventType: describeOperation(
    {
      operationId: 'updateEventType',
      summary: 'Change an event type',
      description:
        'What is left out stays as it is. hosts and schedulingType are a team’s, scheduleId is a user’s.',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: {
        404: 'There is no such event type for this caller.',
        409: 'Another event type has this slug.',
      },
    },
    200,
    one,
  ),
  deleteEventType: describeOperation(
    {
      operationId: 'deleteEventType',
      summary: 'Delete an event type',
      description: 'Its bookings stay.',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: { 404: 'There is no such event type for this caller.' },
    },
    200,
    one,
  ),
} as const;
