import { describeOperation, pageOf, successOf } from '../operation.ts';
import { eventTypeAnswer } from './response.ts';

const family = 'Event types';
const one = successOf(eventTypeAnswer);
const page = pageOf(eventTypeAnswer);

export const operations = {
  listEventTypes: describeOperation(
    {
      operationId: 'listEventTypes',
      summary: 'List event types',
      description:
        "With `username`, lists that user's public event types and needs no token. Without it, lists all event types of the token's user or team, including hidden ones.",
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
      summary: 'List event types of a team',
      description: 'Only for members of the team.',
      family,
      scope: 'EVENT_TYPE_READ',
      errors: { 404: 'Team not found, or the user is not a member.' },
    },
    200,
    page,
  ),
  listOrganizationTeamsEventTypes: describeOperation(
    {
      operationId: 'listOrganizationTeamsEventTypes',
      summary: "List event types of an organization's teams",
      description: 'Only for members of the organization. Owners and admins also get hidden event types.',
      family,
      scope: 'EVENT_TYPE_READ',
      errors: { 404: 'Organization not found, or the user is not a member.' },
    },
    200,
    page,
  ),
  getEventType: describeOperation(
    {
      operationId: 'getEventType',
      summary: 'Get an event type',
      family,
      scope: 'EVENT_TYPE_READ',
      errors: { 404: 'Event type not found.' },
    },
    200,
    one,
  ),
  createEventType: describeOperation(
    {
      operationId: 'createEventType',
      summary: 'Create an event type',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: { 409: 'The slug is already taken.' },
    },
    201,
    one,
  ),
  createTeamEventType: describeOperation(
    {
      operationId: 'createTeamEventType',
      summary: 'Create a team event type',
      description: 'Only for owners and admins of the team. Hosts must be members of the team.',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: { 404: 'Team not found, or the user is not a member.', 409: 'The slug is already taken.' },
    },
    201,
    one,
  ),
  updateEventType: describeOperation(
    {
      operationId: 'updateEventType',
      summary: 'Update an event type',
      description:
        'Omitted fields stay unchanged. `hosts` and `schedulingType` apply to team event types, `scheduleId` to those of users.',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: {
        404: 'Event type not found.',
        409: 'The slug is already taken.',
      },
    },
    200,
    one,
  ),
  deleteEventType: describeOperation(
    {
      operationId: 'deleteEventType',
      summary: 'Delete an event type',
      description: 'Existing bookings are kept.',
      family,
      scope: 'EVENT_TYPE_WRITE',
      errors: { 404: 'Event type not found.' },
    },
    200,
    one,
  ),
} as const;
