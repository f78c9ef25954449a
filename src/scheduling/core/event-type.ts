/** How a team's event type takes its hosts: all of them together, or the one who was booked least recently. */
export const schedulingTypes = ['collective', 'roundRobin'] as const;
