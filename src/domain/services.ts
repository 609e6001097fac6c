import type { EntityTags } from '../lib/hash.ts';
import type { Clock } from '../lib/time.ts';
import type { Academics } from './academics/service.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { AccountExport } from './accounts/export.ts';
import type { ChallengeOperations } from './accounts/sign-in/challenges.ts';
import type { PersonalTokens } from './accounts/tokens/personal-tokens.ts';
import type { CalendarFeeds } from './calendar/feeds.ts';
import type { Adjustments } from './calendar/types.ts';
import type { CampusFacts, CampusPorts } from './capabilities.ts';
import type { Electricity } from './electricity/electricity.ts';
import type { Evaluation } from './evaluation/evaluation.ts';
import type { ChangeEvents } from './events/events.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { LaborClub } from './labor-club/labor-club.ts';
import type { ServiceWatch, SystemReport } from './observation.ts';
import type { Offerings } from './offerings/offerings.ts';
import type { FileTickets } from './profiles/images.ts';
import type { Profiles } from './profiles/profiles.ts';

/** What the surfaces and pages may use of the running service. */
export interface Services extends Pick<CampusPorts, 'activityScore' | 'card' | 'competitions'> {
  readonly clock: Clock;
  readonly campus: CampusFacts;
  readonly accounts: Accounts;
  readonly accountExport: AccountExport;
  /** Sign-ins that wait for a person. */
  readonly challenges: ChallengeOperations;
  readonly personalTokens: PersonalTokens;
  readonly academics: Academics;
  readonly electricity: Electricity;
  readonly laborClub: LaborClub;
  readonly offerings: Offerings;
  readonly evaluation: Evaluation;
  readonly profiles: Profiles;
  /** For the addresses of images. */
  readonly fileTickets: FileTickets;
  readonly calendarFeeds: CalendarFeeds;
  /** Days that differ from the timetable. */
  readonly adjustments: Adjustments;
  readonly changeEvents: ChangeEvents;
  readonly hooks: Hooks;
  readonly entityTags: EntityTags;
  readonly watch: ServiceWatch;
  /** True while storage answers in time and takes writes. Never throws. */
  ready(): Promise<boolean>;
  /** Shows what this process has seen of each system of the campus. */
  systemStates(): readonly SystemReport[];
  close(): Promise<void>;
}
