// Generated from docs/reference/openapi.json by `npm run documents`; not to be changed by hand.

import type { Answer, Arguments, Data } from './types.ts';

/** Every operation of both surfaces; those below `/api/v1` begin with `v1`. */
export interface Operations {
  /**
   * Health check.
   *
   * Answers as long as the process does; nothing else is looked at.
   *
   * `GET /alive`
   */
  alive(...input: Arguments<'alive'>): Promise<Answer<Data<'alive'>>>;
  /**
   * Readiness.
   *
   * Fails while storage does not answer or takes no writes, and as soon as the service begins to close.
   *
   * `GET /ready`
   *
   * @throws CampusError SERVICE_UNAVAILABLE
   */
  ready(...input: Arguments<'ready'>): Promise<Answer<Data<'ready'>>>;
  /**
   * The campus, and what it offers.
   *
   * The same for everyone until the service restarts; the campus is not asked.
   *
   * `GET /campus`
   *
   * @throws CampusError VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  getCampus(...input: Arguments<'getCampus'>): Promise<Answer<Data<'getCampus'>>>;
  /**
   * Login.
   *
   * Signs a registered student in. The submitted passwords are verified at the campus before they are kept. Send the last token of the student in `Authorization`, also one that has ended: it proves that the owner is calling, for whom nothing is used up by others. Passwords that differ from the stored ones replace them and end all other tokens of the student; `X-Keep` of the request names what goes on besides (`feeds`, also when it is missing; empty ends the calendar feeds), and the answer says what became of it. Where the campus wants a captcha or a second step: 428 with a challenge, which goes on at `/auth/challenges/{id}`; nothing is wrong with the passwords then.
   *
   * `POST /auth/login/next`
   *
   * @throws CampusError CREDENTIALS_INVALID, REMOTE_CREDENTIALS_INVALID, PERSON_NEEDED, CHALLENGE_BUSY, BODY_TOO_LARGE, VALIDATION_ERROR, LOGIN_CHALLENGE, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE, TIMEOUT
   */
  login(...input: Arguments<'login'>): Promise<Answer<Data<'login'>>>;
  /**
   * Invite code verification.
   *
   * Exchanges a code for a token that permits one registration within 30 minutes. The code is counted then.
   *
   * `POST /auth/register/invite`
   *
   * @throws CampusError INVITE_CODE_INVALID, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  verifyInviteCode(...input: Arguments<'verifyInviteCode'>): Promise<Answer<Data<'verifyInviteCode'>>>;
  /**
   * Registration.
   *
   * Registers a student with an invite token and signs in. `EC_…` names the portal step, `UAAP_…` the unified login. Where the campus wants a captcha or a second step: 428 with a challenge, which goes on at `/auth/challenges/{id}`.
   *
   * `POST /auth/register/next`
   *
   * @throws CampusError EC_PASSWORD_ERROR, UAAP_PASSWORD_ERROR, PERSON_NEEDED, TOKEN_INVALID, CHALLENGE_BUSY, USERID_EXISTS, BODY_TOO_LARGE, VALIDATION_ERROR, LOGIN_CHALLENGE, COOLDOWN, REGISTER_IN_COOLDOWN, SERVER_ERROR, EC_SERVER_ERROR, UAAP_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT
   */
  register(...input: Arguments<'register'>): Promise<Answer<Data<'register'>>>;
  /**
   * A challenge as it is now.
   *
   * For an app that was closed in between. The campus is not asked. Unknown, ended, passed and another student’s are 404 alike: log in again.
   *
   * `GET /auth/challenges/{id}`
   *
   * @throws CampusError EMPTY_PATH, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  getChallenge(...input: Arguments<'getChallenge'>): Promise<Answer<Data<'getChallenge'>>>;
  /**
   * Give up a challenge.
   *
   * The student does not want to go on. Nothing is sent to the campus.
   *
   * `DELETE /auth/challenges/{id}`
   *
   * @throws CampusError EMPTY_PATH, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  deleteChallenge(...input: Arguments<'deleteChallenge'>): Promise<Answer<Data<'deleteChallenge'>>>;
  /**
   * Ask for a code, or for another image.
   *
   * Asks the portal to send a code by SMS, or shows another image of a captcha. Only when the student wants it: it rings a phone. Where `targets` has more than one, `target` chooses. Not before `resend_after` seconds: 429.
   *
   * `POST /auth/challenges/{id}/send`
   *
   * @throws CampusError EMPTY_PATH, NOT_FOUND, CHALLENGE_BUSY, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE, TIMEOUT
   */
  sendChallenge(...input: Arguments<'sendChallenge'>): Promise<Answer<Data<'sendChallenge'>>>;
  /**
   * Answer a challenge.
   *
   * Puts the answer to the campus, once, and answers what the login or the registration would have answered. 428: it was wrong, or one more step is wanted; the same id goes on. After the third wrong answer the challenge is over: 404. An answer that cannot be one is 422 and counts for nothing. After an answer that was lost, `GET` tells whether the challenge goes on; 404: log in again, which needs no step where it was passed.
   *
   * `POST /auth/challenges/{id}/answer`
   *
   * @throws CampusError EMPTY_PATH, PERSON_NEEDED, REMOTE_CREDENTIALS_INVALID, TOKEN_INVALID, NOT_FOUND, CHALLENGE_BUSY, USERID_EXISTS, BODY_TOO_LARGE, VALIDATION_ERROR, LOGIN_CHALLENGE, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE, TIMEOUT
   */
  answerChallenge(...input: Arguments<'answerChallenge'>): Promise<Answer<Data<'answerChallenge'>>>;
  /**
   * Renew the campus session with the student there.
   *
   * After `PERSON_NEEDED`: signs in with the stored passwords while the student can answer. `challenge` is what the campus wants, or null where it wanted nothing and the session is live again. While a session has answered within 240 seconds there is nothing to renew, and the campus is not asked.
   *
   * `POST /auth/challenges`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, CHALLENGE_BUSY, CHALLENGE_NEEDLESS, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE, TIMEOUT
   */
  beginChallenge(...input: Arguments<'beginChallenge'>): Promise<Answer<Data<'beginChallenge'>>>;
  /**
   * New personal token.
   *
   * Makes a token for a program of the student, which can do what its scopes say on both surfaces, and ends on a fixed day. Only with a token of a login within 24 hours. At most twenty; 120 calls a minute each and 300 together, and together 60 readings at the campus an hour.
   *
   * `POST /auth/tokens`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, LOGIN_AGAIN, TOKEN_LIMIT, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  createToken(...input: Arguments<'createToken'>): Promise<Answer<Data<'createToken'>>>;
  /**
   * Personal tokens of the student.
   *
   * Without their secrets, which are told once, when a token is made.
   *
   * `GET /auth/tokens`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  listTokens(...input: Arguments<'listTokens'>): Promise<Answer<Data<'listTokens'>>>;
  /**
   * Rename a personal token.
   *
   * Only what its owner calls it changes.
   *
   * `PATCH /auth/tokens/{id}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  renameToken(...input: Arguments<'renameToken'>): Promise<Answer<Data<'renameToken'>>>;
  /**
   * Delete a personal token.
   *
   * It is good for nothing from then on.
   *
   * `DELETE /auth/tokens/{id}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  deleteToken(...input: Arguments<'deleteToken'>): Promise<Answer<Data<'deleteToken'>>>;
  /**
   * Rotate a personal token.
   *
   * Makes a token that may do the same for as many days. The old one lives for 24 hours more, so that its program can be told, or not at all. Only with a token of a login within 24 hours.
   *
   * `POST /auth/tokens/{id}/rotate`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, LOGIN_AGAIN, NOT_FOUND, TOKEN_REPLACED, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  rotateToken(...input: Arguments<'rotateToken'>): Promise<Answer<Data<'rotateToken'>>>;
  /**
   * Token validity check.
   *
   * Looks the token up; the campus is not asked.
   *
   * `GET /auth/authme/token`
   *
   * @throws CampusError INVALID_AUTHENTICATION, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  checkToken(...input: Arguments<'checkToken'>): Promise<Answer<Data<'checkToken'>>>;
  /**
   * Logout.
   *
   * Revokes the token of this call.
   *
   * `POST /auth/logout`
   *
   * @throws CampusError INVALID_AUTHENTICATION, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  logout(...input: Arguments<'logout'>): Promise<Answer<Data<'logout'>>>;
  /**
   * Logout everywhere.
   *
   * Revokes all tokens of the student. Personal ones and hooks end too unless the body names them; calendar feeds go on unless it says otherwise. It may be left out.
   *
   * `POST /auth/logout/all`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  logoutEverywhere(...input: Arguments<'logoutEverywhere'>): Promise<Answer<Data<'logoutEverywhere'>>>;
  /**
   * Valid tokens of the student.
   *
   * Where the student is logged in: one session per token, the newest first. Only the student sees from which network a token was last used, and which program logged in.
   *
   * `GET /auth/sessions`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  listSessions(...input: Arguments<'listSessions'>): Promise<Answer<Data<'listSessions'>>>;
  /**
   * Revoke one token.
   *
   * Revokes the token with that id of `GET /auth/sessions`, which may be the one of this call. The hooks that another session has made end with it unless `X-Keep` names them.
   *
   * `DELETE /auth/sessions/{id}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  deleteSession(...input: Arguments<'deleteSession'>): Promise<Answer<Data<'deleteSession'>>>;
  /**
   * Account deletion.
   *
   * Erases everything of the student. Both passwords are compared with the stored ones only. Tokens, passwords, sessions, feeds and hooks are gone before the answer; where very many other rows remain, the words say so, and the id can be registered again once they have gone too.
   *
   * `DELETE /auth/account`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, CREDENTIALS_INVALID, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  deleteAccount(...input: Arguments<'deleteAccount'>): Promise<Answer<Data<'deleteAccount'>>>;
  /**
   * Account deletion.
   *
   * Erases everything of the student. Both passwords are compared with the stored ones only. Tokens, passwords, sessions, feeds and hooks are gone before the answer; where very many other rows remain, the words say so, and the id can be registered again once they have gone too.
   *
   * `POST /auth/account/delete`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, CREDENTIALS_INVALID, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  deleteAccountByPost(...input: Arguments<'deleteAccountByPost'>): Promise<Answer<Data<'deleteAccountByPost'>>>;
  /**
   * Get profile.
   *
   * A 404 until the first update.
   *
   * `GET /profile/user/get`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, PROFILE_NOT_FOUND, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  getUserProfile(...input: Arguments<'getUserProfile'>): Promise<Answer<Data<'getUserProfile'>>>;
  /**
   * Update profile.
   *
   * The first update makes the profile. A failure of any part leaves everything as it was. The id of the avatar in use may be named again, without effect.
   *
   * `PUT /profile/user/update`
   *
   * @throws CampusError NEED_ONE_MORE_FIELD, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, RESOURCE_EXPIRED, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE
   */
  updateUserProfile(...input: Arguments<'updateUserProfile'>): Promise<Answer<Data<'updateUserProfile'>>>;
  /**
   * Get avatar MD5.
   *
   * To compare with a copy: the address of an image is another one in every answer.
   *
   * `GET /profile/user/avatar/md5`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, PROFILE_NOT_FOUND, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  getAvatarMd5(...input: Arguments<'getAvatarMd5'>): Promise<Answer<Data<'getAvatarMd5'>>>;
  /**
   * Get profile.
   *
   * A 404 until the first update.
   *
   * `GET /profile/client/get`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, PROFILE_NOT_FOUND, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  getClientProfile(...input: Arguments<'getClientProfile'>): Promise<Answer<Data<'getClientProfile'>>>;
  /**
   * Update profile.
   *
   * The first update makes the theme from its defaults. A failure of any part leaves everything as it was. One image may be named for both modes, and again while it is in use. A 404 is reserved and does not occur.
   *
   * `PUT /profile/client/update`
   *
   * @throws CampusError NEED_ONE_MORE_FIELD, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, PROFILE_NOT_FOUND, RESOURCE_EXPIRED, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE
   */
  updateClientProfile(...input: Arguments<'updateClientProfile'>): Promise<Answer<Data<'updateClientProfile'>>>;
  /**
   * Get background image MD5.
   *
   * To compare with a copy: the address of an image is another one in every answer.
   *
   * `GET /profile/client/image/{mode}/md5`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, PROFILE_NOT_FOUND, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  getBackgroundMd5(...input: Arguments<'getBackgroundMd5'>): Promise<Answer<Data<'getBackgroundMd5'>>>;
  /**
   * Academic info.
   *
   * Counts of courses, grade point average, average mark with rank, and the current term.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/academic/info`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getAcademicInfo(...input: Arguments<'getAcademicInfo'>): Promise<Answer<Data<'getAcademicInfo'>>>;
  /**
   * All terms.
   *
   * Their codes are what the other operations take as `term_code`.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/term/all`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listTerms(...input: Arguments<'listTerms'>): Promise<Answer<Data<'listTerms'>>>;
  /**
   * Term score list for a given term.
   *
   * All rows of the term at once; empty for a term without scores. `message` says when the campus does not list the term.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/score/{term_code}/list`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listTermScores(...input: Arguments<'listTermScores'>): Promise<Answer<Data<'listTermScores'>>>;
  /**
   * Schedule.
   *
   * Courses of a term with their times and places, and the sessions of a day. `message` says when there is none because the campus does not list the term.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/schedule/{term_code}/table`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getSchedule(...input: Arguments<'getSchedule'>): Promise<Answer<Data<'getSchedule'>>>;
  /**
   * Training plan.
   *
   * The first plan of the student.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/academic/training_plan`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getTrainingPlan(...input: Arguments<'getTrainingPlan'>): Promise<Answer<Data<'getTrainingPlan'>>>;
  /**
   * Course selection status.
   *
   * Whether the campus lets students choose courses now.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/academic/course_selection_status`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getCourseSelectionStatus(...input: Arguments<'getCourseSelectionStatus'>): Promise<Answer<Data<'getCourseSelectionStatus'>>>;
  /**
   * Current term and week.
   *
   * Of today, in the time zone of the campus.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/term/current`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getCurrentTerm(...input: Arguments<'getCurrentTerm'>): Promise<Answer<Data<'getCurrentTerm'>>>;
  /**
   * Exams of the current term.
   *
   * University-wide exams from today on and all other exams of the term; a list that is complete or fails.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/exam/info`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getExamInfo(...input: Arguments<'getExamInfo'>): Promise<Answer<Data<'getExamInfo'>>>;
  /**
   * Choice of training plans.
   *
   * The plans of a student who has several; the campus names none to a student with one.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/plan/options`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listPlanOptions(...input: Arguments<'listPlanOptions'>): Promise<Answer<Data<'listPlanOptions'>>>;
  /**
   * Training plan completion.
   *
   * Of several plans the one of `plan_id`, else the default one. All members but `estimate` are what the campus shows, zeros included; `estimate` is made by this service from the scores. May take half a minute.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/plan/current`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, PLAN_NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getPlanCompletion(...input: Arguments<'getPlanCompletion'>): Promise<Answer<Data<'getPlanCompletion'>>>;
  /**
   * Scores of this term.
   *
   * Courses whose score is not yet published included. Earlier terms: `/jwc/score/{term_code}/list`.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/score/current/list`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listCurrentScores(...input: Arguments<'listCurrentScores'>): Promise<Answer<Data<'listCurrentScores'>>>;
  /**
   * Components of a score of this term.
   *
   * For a published score of `/jwc/score/current/list`, by four of its members.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/score/current/detail`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getCurrentScoreDetail(...input: Arguments<'getCurrentScoreDetail'>): Promise<Answer<Data<'getCurrentScoreDetail'>>>;
  /**
   * Whole record of scores.
   *
   * All terms at once, with grade points where the campus has a page for it. `terms` has sums of each term, which are ours; the average of the campus is in `/jwc/academic/info`.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/score/all`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getWholeRecord(...input: Arguments<'getWholeRecord'>): Promise<Answer<Data<'getWholeRecord'>>>;
  /**
   * Student record.
   *
   * Name, college, major, class and year as the campus has them on file. Nothing else of that page is read or kept.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /profile/student`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getStudentRecord(...input: Arguments<'getStudentRecord'>): Promise<Answer<Data<'getStudentRecord'>>>;
  /**
   * Terms whose offerings can be searched.
   *
   * May hold the next term, before it has a timetable.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/offerings/terms`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listOfferingTerms(...input: Arguments<'listOfferingTerms'>): Promise<Answer<Data<'listOfferingTerms'>>>;
  /**
   * Search the course offerings of a term.
   *
   * The offerings of a term are read once for everybody, page after page and slowly, because the campus limits how often it is asked; all filters work on what has been read. The first search of a term waits for the first page and says `complete: false` with `Retry-After` while the others are read.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/offerings`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  searchOfferings(...input: Arguments<'searchOfferings'>): Promise<Answer<Data<'searchOfferings'>>>;
  /**
   * By what classes can be looked up.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/classes/filters`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getClassFilters(...input: Arguments<'getClassFilters'>): Promise<Answer<Data<'getClassFilters'>>>;
  /**
   * Majors of a department.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/classes/majors`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listClassMajors(...input: Arguments<'listClassMajors'>): Promise<Answer<Data<'listClassMajors'>>>;
  /**
   * Administrative classes of a department.
   *
   * Pages of 500. A department has to be named: no client needs the whole campus in one answer.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/classes`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listClasses(...input: Arguments<'listClasses'>): Promise<Answer<Data<'listClasses'>>>;
  /**
   * Timetable of an administrative class.
   *
   * The sessions of a day are in the caller’s own schedule.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/classes/{class_code}/schedule`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getClassSchedule(...input: Arguments<'getClassSchedule'>): Promise<Answer<Data<'getClassSchedule'>>>;
  /**
   * Start of an app in one call.
   *
   * Reads the parts side by side, each as its own operation does, at most three at once. A part that fails has its error and no data, and the call succeeds; only a refused login fails it as a whole. A part asks a personal token for the scope of its own operation.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /home`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  getHome(...input: Arguments<'getHome'>): Promise<Answer<Data<'getHome'>>>;
  /**
   * Subject competitions.
   *
   * All awards declared by the student, and the credits they count for.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/competition/info`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getCompetitionInfo(...input: Arguments<'getCompetitionInfo'>): Promise<Answer<Data<'getCompetitionInfo'>>>;
  /**
   * Balance of the campus card.
   *
   * May take half a minute: the card system is slow.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /card/balance`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getCardBalance(...input: Arguments<'getCardBalance'>): Promise<Answer<Data<'getCardBalance'>>>;
  /**
   * Transactions of the campus card.
   *
   * Of at most 31 days. Whether the campus shows all of them is not known: the sums are of the rows shown.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /card/transactions`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listCardTransactions(...input: Arguments<'listCardTransactions'>): Promise<Answer<Data<'listCardTransactions'>>>;
  /**
   * Electricity bought with the campus card.
   *
   * Of at most 31 days.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /card/electricity_purchases`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listCardPurchases(...input: Arguments<'listCardPurchases'>): Promise<Answer<Data<'listCardPurchases'>>>;
  /**
   * Total score.
   *
   * May be up to 300 seconds old.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /aac/credit/info`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getCreditInfo(...input: Arguments<'getCreditInfo'>): Promise<Answer<Data<'getCreditInfo'>>>;
  /**
   * Score details.
   *
   * All categories with their items; empty for a student without any.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /aac/credit/list`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listCredits(...input: Arguments<'listCredits'>): Promise<Answer<Data<'listCredits'>>>;
  /**
   * Full building/floor/room tree.
   *
   * From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read again in the background.
   *
   * `GET /isim/room/list`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  listRooms(...input: Arguments<'listRooms'>): Promise<Answer<Data<'listRooms'>>>;
  /**
   * Building list only.
   *
   * From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read again in the background.
   *
   * `GET /isim/room/list/buildings`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  listBuildings(...input: Arguments<'listBuildings'>): Promise<Answer<Data<'listBuildings'>>>;
  /**
   * Floors and rooms of a building.
   *
   * From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read again in the background.
   *
   * `GET /isim/room/list/building/{building_code}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, ROOM_NOT_FOUND, NOT_FOUND, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  getBuilding(...input: Arguments<'getBuilding'>): Promise<Answer<Data<'getBuilding'>>>;
  /**
   * Rooms of a floor.
   *
   * From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read again in the background.
   *
   * `GET /isim/room/list/floor/{floor_code}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, ROOM_NOT_FOUND, NOT_FOUND, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  getFloor(...input: Arguments<'getFloor'>): Promise<Answer<Data<'getFloor'>>>;
  /**
   * Single-room detail.
   *
   * From the list of the whole service, which is read at the campus when there is none and then serves everybody; older than 7 days it is read again in the background.
   *
   * `GET /isim/room/info/{room_code}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, ROOM_NOT_FOUND, NOT_FOUND, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  getRoom(...input: Arguments<'getRoom'>): Promise<Answer<Data<'getRoom'>>>;
  /**
   * Bind dormitory to current user.
   *
   * One room per student; the next one replaces it. Nothing is changed at the campus.
   *
   * `POST /isim/room/bind`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, ROOM_NOT_FOUND, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  bindRoom(...input: Arguments<'bindRoom'>): Promise<Answer<Data<'bindRoom'>>>;
  /**
   * Get bound dormitory.
   *
   * Empty members when no room is bound. The campus is not asked.
   *
   * `GET /isim/room/current`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, SERVICE_UNAVAILABLE
   */
  getBoundRoom(...input: Arguments<'getBoundRoom'>): Promise<Answer<Data<'getBoundRoom'>>>;
  /**
   * Dormitory electricity info.
   *
   * What the meter of the bound room shows now. Always read at the campus.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /isim/elec/info`
   *
   * @throws CampusError UNBOUND_ROOM, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getElectricity(...input: Arguments<'getElectricity'>): Promise<Answer<Data<'getElectricity'>>>;
  /**
   * Force refresh of the room-list cache (administrative).
   *
   * One at a time in the whole service, and not again for 30 minutes after one that succeeded. The old list serves until the new one is complete. A call whose time ends first leaves the refresh running.
   *
   * `POST /isim/room/refresh`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, FORBIDDEN, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  refreshRooms(...input: Arguments<'refreshRooms'>): Promise<Answer<Data<'refreshRooms'>>>;
  /**
   * Learning progress.
   *
   * How many of the ten activities are finished.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/progress`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getLaborProgress(...input: Arguments<'getLaborProgress'>): Promise<Answer<Data<'getLaborProgress'>>>;
  /**
   * Joined activities.
   *
   * All of them, on one page.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/joined/activities`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listJoinedActivities(...input: Arguments<'listJoinedActivities'>): Promise<Answer<Data<'listJoinedActivities'>>>;
  /**
   * Joined clubs.
   *
   * All of them, on one page.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/joined/clubs`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listJoinedClubs(...input: Arguments<'listJoinedClubs'>): Promise<Answer<Data<'listJoinedClubs'>>>;
  /**
   * Activities of a given club.
   *
   * One page; `pageInfo` says how many there are. `message` says when there are none because the directory has no such club.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/club/{club_id}/activities`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listClubActivities(...input: Arguments<'listClubActivities'>): Promise<Answer<Data<'listClubActivities'>>>;
  /**
   * Sign up for an activity.
   *
   * Sent to the campus once and never repeated. When its answer is lost, the call fails and says that the result must be checked.
   *
   * `POST /ldjlb/labor/activity/{activity_id}/apply`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  applyForActivity(...input: Arguments<'applyForActivity'>): Promise<Answer<Data<'applyForActivity'>>>;
  /**
   * Scan sign-in.
   *
   * Sent to the campus once and never repeated. When its answer is lost, the call fails and says that the result must be checked. One scan per student in three seconds.
   *
   * `POST /ldjlb/labor/scan_sign`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  scanSign(...input: Arguments<'scanSign'>): Promise<Answer<Data<'scanSign'>>>;
  /**
   * Sign-in list of an activity.
   *
   * When to sign in and out, and whether the caller did.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/{activity_id}/sign_list`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listSignItems(...input: Arguments<'listSignItems'>): Promise<Answer<Data<'listSignItems'>>>;
  /**
   * Activity detail.
   *
   * The activity, its form, its approval and its teachers.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/{activity_id}/detail`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  getActivityDetail(...input: Arguments<'getActivityDetail'>): Promise<Answer<Data<'getActivityDetail'>>>;
  /**
   * Directory of clubs.
   *
   * Without `keyword` one page of the campus; with it all clubs are read, and what matches is paged here.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/clubs`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listClubs(...input: Arguments<'listClubs'>): Promise<Answer<Data<'listClubs'>>>;
  /**
   * Applications for clubs.
   *
   * All of them with their state. A new one may show a little later, so its absence is no failure; who is a member, the joined clubs tell.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /ldjlb/labor/club/applications`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listClubApplications(...input: Arguments<'listClubApplications'>): Promise<Answer<Data<'listClubApplications'>>>;
  /**
   * Apply for a club.
   *
   * Sent to the campus once and never repeated. When its answer is lost, the call fails and says that the result must be checked. Whether the club takes applications, the campus decides.
   *
   * `POST /ldjlb/labor/club/{club_id}/apply`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, NOT_FOUND, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, UNKNOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  applyForClub(...input: Arguments<'applyForClub'>): Promise<Answer<Data<'applyForClub'>>>;
  /**
   * Courses to evaluate.
   *
   * As the campus lists them now; the task is not touched.
   *
   * A read with an age: `Cache-Control` of the request may hold `no-cache`, `max-age`, `max-stale`, `only-if-cached`, `stale-if-error`, `stale-while-revalidate` and `no-store`; `X-Copy: only` stands for `only-if-cached`. A value older than its freshness says so at the end of `message`. See [docs/freshness](/docs/freshness).
   *
   * `GET /jwc/evaluation/courses`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT, NO_COPY
   */
  listEvaluationCourses(...input: Arguments<'listEvaluationCourses'>): Promise<Answer<Data<'listEvaluationCourses'>>>;
  /**
   * Load the course list for an evaluation task.
   *
   * Answers when the list is loaded. A finished task is replaced. Of one that was stopped less than 24 hours ago the previews and exclusions stay, for courses that are still pending; after any other they are dropped.
   *
   * `POST /jwc/evaluation/initialize`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, EVALUATION_CONFLICT, EVALUATION_CLOSED, EVALUATION_EMPTY, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  initializeEvaluation(...input: Arguments<'initializeEvaluation'>): Promise<Answer<Data<'initializeEvaluation'>>>;
  /**
   * Start evaluating the pending courses.
   *
   * The task goes on in the background, without the courses in `exclude`, or with those in `only` alone; with neither, without those that are shown as `excluded`. With nothing left to do it is completed at once. The body may be left out.
   *
   * `POST /jwc/evaluation/start`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COURSE_NOT_FOUND, EVALUATION_CONFLICT, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  startEvaluation(...input: Arguments<'startEvaluation'>): Promise<Answer<Data<'startEvaluation'>>>;
  /**
   * Stop the evaluation task.
   *
   * Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.
   *
   * `POST /jwc/evaluation/terminate`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, EVALUATION_CONFLICT, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, SERVICE_UNAVAILABLE
   */
  terminateEvaluation(...input: Arguments<'terminateEvaluation'>): Promise<Answer<Data<'terminateEvaluation'>>>;
  /**
   * State and counts of the evaluation task.
   *
   * Asks the campus nothing; may be called once a second. `data` is null without a task.
   *
   * `GET /jwc/evaluation/status`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, SERVICE_UNAVAILABLE
   */
  getEvaluationStatus(...input: Arguments<'getEvaluationStatus'>): Promise<Answer<Data<'getEvaluationStatus'>>>;
  /**
   * The course that is being evaluated.
   *
   * Asks the campus nothing; may be called once a second. `data` is null without a task.
   *
   * `GET /jwc/evaluation/current`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, SERVICE_UNAVAILABLE
   */
  getEvaluatedCourse(...input: Arguments<'getEvaluatedCourse'>): Promise<Answer<Data<'getEvaluatedCourse'>>>;
  /**
   * The answers for one course, before they are sent.
   *
   * The first call for a course opens its questionnaire and draws the answers; later ones repeat them, also while the task runs. Exactly these answers are sent, or none: a course whose questionnaire has changed since then fails. A run that opens pages side by side still draws answers for the courses that it has not opened.
   *
   * `GET /jwc/evaluation/preview`
   *
   * @throws CampusError INVALID_AUTHENTICATION, USER_NEED_RESET_PASSWORD, PERSON_NEEDED, INSUFFICIENT_SCOPE, COURSE_NOT_FOUND, EVALUATION_CONFLICT, EVALUATION_CLOSED, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, REMOTE_SERVICE_ERROR, NULL_RESPONSE, SERVICE_UNAVAILABLE, TIMEOUT
   */
  previewEvaluation(...input: Arguments<'previewEvaluation'>): Promise<Answer<Data<'previewEvaluation'>>>;
  /**
   * Other answers for one course, before they are sent.
   *
   * Puts answers in place of those that the preview has shown: one for each of its questions, in its order, marks from `options`, comments of 4 characters up to `max_length` without one character three times in a row. Blanks are taken out of comments, as the campus wants it; the answer shows what is stored, which is what is sent. Possible until the run opens the course.
   *
   * `PUT /jwc/evaluation/preview`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, COURSE_NOT_FOUND, EVALUATION_CONFLICT, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, NOT_OFFERED, SERVICE_UNAVAILABLE
   */
  editEvaluationPreview(...input: Arguments<'editEvaluationPreview'>): Promise<Answer<Data<'editEvaluationPreview'>>>;
  /**
   * New calendar feed.
   *
   * Makes a secret address that calendar programs can subscribe to; see [docs/calendar](/docs/calendar). A feed shows what calls of the student have read lately and never asks the campus. It goes on after a logout, until it is deleted. At most ten.
   *
   * `POST /calendar/feeds`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, FEED_LIMIT, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  createFeed(...input: Arguments<'createFeed'>): Promise<Answer<Data<'createFeed'>>>;
  /**
   * Calendar feeds of the student.
   *
   * Without their addresses, which are told once, when a feed is made.
   *
   * `GET /calendar/feeds`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  listFeeds(...input: Arguments<'listFeeds'>): Promise<Answer<Data<'listFeeds'>>>;
  /**
   * Delete a calendar feed.
   *
   * Its address answers 404 from then on.
   *
   * `DELETE /calendar/feeds/{id}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  deleteFeed(...input: Arguments<'deleteFeed'>): Promise<Answer<Data<'deleteFeed'>>>;
  /**
   * New hook.
   *
   * Has an address told of change events, as they are seen: 13 types, see [docs/events](/docs/events). It costs the campus nothing unless `refresh` asks for it. Each delivery is signed (Standard Webhooks 1.0), is repeated for about three days until the receiver answers 2xx within 15 seconds, and arrives at least once: drop a `webhook-id` that came before. Ends with a logout everywhere, changed passwords, and the session that made it being revoked from another one, unless `keep` names `hooks`. At most five.
   *
   * `POST /events/hooks`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, HOOK_LIMIT, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  createHook(...input: Arguments<'createHook'>): Promise<Answer<Data<'createHook'>>>;
  /**
   * Hooks of the student.
   *
   * With their state, and without their secrets.
   *
   * `GET /events/hooks`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  listHooks(...input: Arguments<'listHooks'>): Promise<Answer<Data<'listHooks'>>>;
  /**
   * Change a hook.
   *
   * What is left out stays as it is. Its secret stays too. With another address or detail it ends with the session that changed it.
   *
   * `PATCH /events/hooks/{id}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, BODY_TOO_LARGE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  changeHook(...input: Arguments<'changeHook'>): Promise<Answer<Data<'changeHook'>>>;
  /**
   * Delete a hook.
   *
   * It is told nothing from then on. A delivery under way is broken off at once, within 2 s at another replica; it may have arrived.
   *
   * `DELETE /events/hooks/{id}`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  deleteHook(...input: Arguments<'deleteHook'>): Promise<Answer<Data<'deleteHook'>>>;
  /**
   * Test a hook.
   *
   * Has it told of a `test.ping`, once, in any state; its deliveries show what came of it. Ten times an hour.
   *
   * `POST /events/hooks/{id}/test`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  testHook(...input: Arguments<'testHook'>): Promise<Answer<Data<'testHook'>>>;
  /**
   * Last deliveries of a hook.
   *
   * When, with which status and how long it took.
   *
   * `GET /events/hooks/{id}/deliveries`
   *
   * @throws CampusError EMPTY_PATH, INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, NOT_FOUND, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  listDeliveries(...input: Arguments<'listDeliveries'>): Promise<Answer<Data<'listDeliveries'>>>;
  /**
   * What has changed.
   *
   * What differs in a new reading from the one before it, no matter which call asked for that reading: nothing is read at the campus for events. The first reading of anything is where events begin. The last 200 of a student are kept, for at most 30 days.
   *
   * - `score.published`: A mark that was not there before, a retake or make-up mark included.
   * - `score.changed`: A mark that was there reads differently.
   * - `score.component_published`: A part of a score that was not there before.
   * - `exam.scheduled`: An exam that was not listed, or had no day, has one.
   * - `exam.moved`: Day, time or place of an exam reads differently.
   * - `exam.cancelled`: An exam that is still to come is not listed any more, as two readings at least 12 hours apart agree.
   * - `schedule.changed`: Courses of a timetable were added, moved or taken out.
   * - `term.began`: The campus speaks of another term than before.
   * - `evaluation.due`: Courses wait to be evaluated that did not before.
   * - `electricity.low`: What is left for the room has fallen below a threshold; told once until it is 20 % above it again.
   * - `activity.changed`: A joined activity reads differently, or is not listed any more.
   * - `account.person_needed`: Signing in at the campus needs the student.
   * - `account.password_refused`: The campus has refused the stored passwords: the student has to log in.
   * - `test.ping`: A test was asked for.
   *
   * `GET /events`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, SERVICE_UNAVAILABLE
   */
  listEvents(...input: Arguments<'listEvents'>): Promise<Answer<Data<'listEvents'>>>;
  /**
   * Upload avatar.
   *
   * Takes one JPEG or PNG of at most 5 MiB and 8192 × 8192 pixels, no matter what type its part declares, and keeps it for an hour, without its metadata; it is shown once an update names its id. 20 uploads per hour; those that fail and those of an image that is stored already do not count. A second avatar takes the place of the first, a fifth background that of the oldest.
   *
   * `PUT /profile/user/avatar/upload`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, BODY_TOO_SLOW, TOO_LARGE_IMAGE, MIMETYPE_NOT_ALLOWED, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE
   */
  uploadAvatar(...input: Arguments<'uploadAvatar'>): Promise<Answer<Data<'uploadAvatar'>>>;
  /**
   * Upload background image.
   *
   * Takes one JPEG or PNG of at most 5 MiB and 8192 × 8192 pixels, no matter what type its part declares, and keeps it for an hour, without its metadata; it is shown once an update names its id. 20 uploads per hour; those that fail and those of an image that is stored already do not count. A second avatar takes the place of the first, a fifth background that of the oldest.
   *
   * `PUT /profile/client/image/upload`
   *
   * @throws CampusError INVALID_AUTHENTICATION, INSUFFICIENT_SCOPE, BODY_TOO_SLOW, TOO_LARGE_IMAGE, MIMETYPE_NOT_ALLOWED, VALIDATION_ERROR, COOLDOWN, SERVER_ERROR, REMOTE_SERVICE_ERROR, SERVICE_UNAVAILABLE
   */
  uploadBackground(...input: Arguments<'uploadBackground'>): Promise<Answer<Data<'uploadBackground'>>>;
  /**
   * What works now.
   *
   * Each system of the campus as this process has seen it while it asked for students; the campus is not asked. Browsers (`Accept: text/html`) get a page, in the language of `?lang=` or of the reader. 60 calls a minute and address.
   *
   * `GET /status`
   *
   * @throws CampusError COOLDOWN, SERVICE_UNAVAILABLE
   */
  getStatus(...input: Arguments<'getStatus'>): Promise<Answer<Data<'getStatus'>>>;
  /**
   * Exchange an invite code for an invite token.
   *
   * The code itself is counted when a registration is completed.
   *
   * `POST /api/v1/user/veryfy_invite_code`
   */
  v1VerifyInviteCode(...input: Arguments<'v1VerifyInviteCode'>): Promise<Answer<Data<'v1VerifyInviteCode'>>>;
  /**
   * Register with an invite token and both campus passwords.
   *
   * Both passwords are verified at the campus; a refused registration leaves the invite token usable. Code 428: the campus wants a captcha or a second step; `message` names the page where the student answers.
   *
   * `POST /api/v1/user/register`
   */
  v1Register(...input: Arguments<'v1Register'>): Promise<Answer<Data<'v1Register'>>>;
  /**
   * Log in with both campus passwords.
   *
   * For registered students; code 400 with `用户不存在` for everybody else. Send the last token of the student in the header `Authorization` (`Bearer …`), also one that has ended: it proves that the owner is calling, for whom nothing is used up by others. Code 428: the campus wants a captcha or a second step; `message` names the page where the student answers.
   *
   * `POST /api/v1/user/login`
   */
  v1Login(...input: Arguments<'v1Login'>): Promise<Answer<Data<'v1Login'>>>;
  /**
   * Check a token.
   *
   * No campus contact: it shows that token and user exist.
   *
   * `POST /api/v1/user/authme`
   */
  v1Authme(...input: Arguments<'v1Authme'>): Promise<Answer<Data<'v1Authme'>>>;
  /**
   * Read the profile.
   *
   * What was never set is null. Reading writes nothing.
   *
   * `POST /api/v1/user/profile/get`
   */
  v1GetUserProfile(...input: Arguments<'v1GetUserProfile'>): Promise<Answer<Data<'v1GetUserProfile'>>>;
  /**
   * Change the profile.
   *
   * Only what is named changes, all of it or nothing. Images are kept without their metadata and may have 8192 × 8192 pixels; 20 calls with new images per hour. Beyond them images stay as they are, the rest is done, and the message is `已保存，图片更新过于频繁，未更换`. Answers with the complete profile.
   *
   * `POST /api/v1/user/profile/update`
   */
  v1UpdateUserProfile(...input: Arguments<'v1UpdateUserProfile'>): Promise<Answer<Data<'v1UpdateUserProfile'>>>;
  /**
   * Academic summary.
   *
   * Counts of courses and the grade point average.
   *
   * `POST /api/v1/jwc/fetch_academic_info`
   */
  v1FetchAcademicInfo(...input: Arguments<'v1FetchAcademicInfo'>): Promise<Answer<Data<'v1FetchAcademicInfo'>>>;
  /**
   * All terms.
   *
   * The keys are the valid `term_id` and `plan_code` values.
   *
   * `POST /api/v1/jwc/fetch_all_terms`
   */
  v1FetchAllTerms(...input: Arguments<'v1FetchAllTerms'>): Promise<Answer<Data<'v1FetchAllTerms'>>>;
  /**
   * One page of the scores of a term.
   *
   * Filtered as asked; `total_count` says how many rows there are, `message` when there is none because the campus does not list the term.
   *
   * `POST /api/v1/jwc/fetch_term_score`
   */
  v1FetchTermScore(...input: Arguments<'v1FetchTermScore'>): Promise<Answer<Data<'v1FetchTermScore'>>>;
  /**
   * Course schedule of a term.
   *
   * Courses with their times and places, and the sessions of a day.
   *
   * `POST /api/v1/jwc/fetch_course_schedule`
   */
  v1FetchCourseSchedule(...input: Arguments<'v1FetchCourseSchedule'>): Promise<Answer<Data<'v1FetchCourseSchedule'>>>;
  /**
   * Training plan.
   *
   * The first plan of the student. When only the plan can be had, `term` is empty and `courseCount` 0.
   *
   * `POST /api/v1/jwc/fetch_education_plan_info`
   */
  v1FetchEducationPlanInfo(...input: Arguments<'v1FetchEducationPlanInfo'>): Promise<Answer<Data<'v1FetchEducationPlanInfo'>>>;
  /**
   * Courses to evaluate.
   *
   * Evaluated and pending courses; an empty list while there is nothing to evaluate.
   *
   * `POST /api/v1/jwc/fetch_evaluation_course_list`
   */
  v1FetchEvaluationCourseList(...input: Arguments<'v1FetchEvaluationCourseList'>): Promise<Answer<Data<'v1FetchEvaluationCourseList'>>>;
  /**
   * Exams of the current term.
   *
   * University-wide exams from today on and all other exams of the term. When one of the two lists cannot be had, the other one is sent and `message` names what is missing.
   *
   * `POST /api/v1/jwc/fetch_exam_info`
   */
  v1FetchExamInfo(...input: Arguments<'v1FetchExamInfo'>): Promise<Answer<Data<'v1FetchExamInfo'>>>;
  /**
   * Total of the activity score.
   *
   * May be up to 300 seconds old.
   *
   * `POST /api/v1/aac/fetch_score_info`
   */
  v1FetchScoreInfo(...input: Arguments<'v1FetchScoreInfo'>): Promise<Answer<Data<'v1FetchScoreInfo'>>>;
  /**
   * Activity score by category.
   *
   * All categories with their items; empty for a student without any.
   *
   * `POST /api/v1/aac/fetch_score_list`
   */
  v1FetchScoreList(...input: Arguments<'v1FetchScoreList'>): Promise<Answer<Data<'v1FetchScoreList'>>>;
  /**
   * Load the course list for an evaluation task.
   *
   * Answers when the list is loaded or has failed. A finished task is replaced.
   *
   * `POST /api/v1/jwc/evaluation/initialize`
   */
  v1InitializeEvaluation(...input: Arguments<'v1InitializeEvaluation'>): Promise<Answer<Data<'v1InitializeEvaluation'>>>;
  /**
   * Start evaluating the pending courses.
   *
   * The task goes on in the background. Without pending courses it is completed at once.
   *
   * `POST /api/v1/jwc/evaluation/start`
   */
  v1StartEvaluation(...input: Arguments<'v1StartEvaluation'>): Promise<Answer<Data<'v1StartEvaluation'>>>;
  /**
   * Stop the evaluation task.
   *
   * Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.
   *
   * `POST /api/v1/jwc/evaluation/terminate`
   */
  v1TerminateEvaluation(...input: Arguments<'v1TerminateEvaluation'>): Promise<Answer<Data<'v1TerminateEvaluation'>>>;
  /**
   * State and counts of the evaluation task.
   *
   * Asks the campus nothing; may be called once a second. `data` is null without a task.
   *
   * `POST /api/v1/jwc/evaluation/status`
   */
  v1EvaluationStatus(...input: Arguments<'v1EvaluationStatus'>): Promise<Answer<Data<'v1EvaluationStatus'>>>;
  /**
   * The course that is being evaluated.
   *
   * Asks the campus nothing; may be called once a second. `data` is null without a task.
   *
   * `POST /api/v1/jwc/evaluation/current`
   */
  v1CurrentEvaluation(...input: Arguments<'v1CurrentEvaluation'>): Promise<Answer<Data<'v1CurrentEvaluation'>>>;
}
