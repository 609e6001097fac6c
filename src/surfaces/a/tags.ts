/** What the operations of this surface are grouped by. */
export const tagsA = [
  { name: 'v1 user', description: 'Invite codes, registration, login, the token check and the profile of the app.' },
  { name: 'v1 academics', description: 'Summary, terms, scores, schedule, training plan and exams.' },
  { name: 'v1 activity score', description: 'Total and items of the activity score.' },
  { name: 'v1 evaluation', description: 'The task that evaluates courses, one after another, in the background.' },
] as const;
