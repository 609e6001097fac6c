/** What the operations of this surface are grouped by. */
export const tagsB = [
  { name: 'Home and health', description: 'The documentation, and whether the service lives and can serve.' },
  { name: 'Authentication', description: 'Login, registration, tokens and the end of an account.' },
  { name: 'User profile', description: 'Nickname, slogan and avatar.' },
  { name: 'Client-theme profile', description: 'Colours and backgrounds of the client.' },
  { name: 'Files', description: 'Images by signed addresses.' },
  { name: 'Academic affairs', description: 'Summary, terms, scores, schedule, plans, exams and competitions.' },
  { name: 'Evaluation', description: 'The automated course evaluation, with preview.' },
  { name: 'Activity score', description: 'Total and items of the activity score.' },
  { name: 'Electricity', description: 'Rooms, and the electricity of the room that is bound.' },
  { name: 'Labor club', description: 'Clubs, activities, sign-up and sign-in.' },
  { name: 'Calendar feeds', description: 'Classes, exams and activities for calendar programs.' },
] as const;
