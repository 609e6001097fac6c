/** The scopes of personal tokens, one row each. None contains another by its name. */
export const scopes = {
  'profile:read': 'profile and theme',
  'profile:write': 'changes of profile and theme, and images',
  'academics:read': 'terms, plans, competitions, offerings, the timetables of classes and the student record',
  'scores:read': 'everything that holds a mark or an average',
  'schedule:read': 'the timetable',
  'exams:read': 'exams',
  'activity:read': 'the activity score',
  'electricity:read': 'rooms and the meter of the chosen room',
  'electricity:write': 'the choice of a room',
  'labor:read': 'clubs, activities and progress of the labor club',
  'labor:write': 'applications, sign-ups and sign-ins of the labor club',
  'evaluation:read': 'the courses to evaluate and the evaluation task',
  'evaluation:write': 'starting and stopping the evaluation task',
  'card:read': 'the campus card',
  events: 'change events',
  export: 'the export of everything that is stored of the student',
} as const;

export type Scope = keyof typeof scopes;

const isScope = (word: string): word is Scope => Object.hasOwn(scopes, word);

export const scopeNames: readonly Scope[] = Object.keys(scopes).filter(isScope);

/** Of a stored list; what a later version has added is left out. */
export const scopesOf = (words: string): readonly Scope[] => words.split(' ').filter(isScope);

export const isWriting = (scope: Scope): boolean => scope.endsWith(':write');

/** An operation needs a scope, a token that a login has issued, or any token. */
export type Need = Scope | 'login' | 'any';
