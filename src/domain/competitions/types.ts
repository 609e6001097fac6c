/** A declared award. Texts are those of the campus; a number that cannot be read is 0 and the award stays. */
export interface Award {
  readonly id: string;
  readonly name: string;
  readonly level: string;
  readonly prize: string;
  /** `YYYY/M/D`, not padded. */
  readonly date: string;
  readonly applicantId: string;
  readonly applicantName: string;
  /** Position among the participants. */
  readonly order: number;
  readonly credits: number;
  readonly bonus: number;
  readonly status: string;
  readonly verificationStatus: string;
}

/** Credits by kind; null where the campus states none. */
export interface AwardCredits {
  readonly disciplineCompetition: number | null;
  readonly scientificResearch: number | null;
  readonly transferableCompetition: number | null;
  readonly innovationPractice: number | null;
  readonly abilityCertification: number | null;
  readonly otherProject: number | null;
}

export interface CompetitionRecord {
  /** As the page greets the student; `""` when it does not. */
  readonly studentId: string;
  /** All pages, in their order. */
  readonly awards: readonly Award[];
  readonly credits: AwardCredits;
}
