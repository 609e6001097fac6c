import type { Static } from '@sinclair/typebox';
import type { AcademicSummary, ScorePage, Term } from '../../domain/academics/types.ts';
import type { Student } from '../../domain/context.ts';
import { dataUri } from '../../domain/profiles/image-text.ts';
import { mediaTypeOf } from '../../domain/profiles/images/image-types.ts';
import type { AppProfile, StoredImage } from '../../domain/profiles/types.ts';
import { presentScore } from '../records/present.ts';
import type { AcademicInfo, TermScoreResponse, Terms } from './schemas/academics.ts';
import type { UserProfileData } from './schemas/profiles.ts';

export const presentSummary = (summary: AcademicSummary): Static<typeof AcademicInfo> => ({
  count: summary.coursesTaken,
  countNotPass: summary.coursesFailed,
  gpa: summary.gpa,
});

export const presentTerms = (terms: readonly Term[]): Static<typeof Terms> =>
  Object.fromEntries(terms.map(({ code, name }) => [code, name]));

export const presentScorePage = (page: ScorePage): Static<typeof TermScoreResponse> => ({
  page_size: page.pageSize,
  page_num: page.page,
  total_count: page.totalCount,
  records: page.records.map(presentScore),
});

const presentImage = (image: StoredImage | null): string | null =>
  image && dataUri(mediaTypeOf(image.type), image.bytes);

export const presentProfile = (
  { userid }: Student,
  { nickname, avatar, background, settings }: AppProfile,
): Static<typeof UserProfileData> => ({
  userid,
  avatar: presentImage(avatar),
  background: presentImage(background),
  nickname,
  settings,
});
