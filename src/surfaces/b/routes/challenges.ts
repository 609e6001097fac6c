import { Type } from '@sinclair/typebox';
import type { Challenge } from '../../../domain/challenge.ts';
import { isFailure } from '../../../domain/errors.ts';
import { integer, object, orNull, text, textOrNull } from '../../../domain/record.ts';
import { RequestInvalid, wrongValue } from '../../../http/requests/findings.ts';
import { LoginChallenge, presentChallenge } from '../../common/challenges.ts';
import { Told } from '../../common/operation.ts';
import { challengePassed } from '../../common/texts.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { Done, tellDone } from './account.ts';
import { authTag, grantHeaderDocs, grantHeaders, personFailures } from './auth.ts';

const ChallengePath = Type.Object({
  id: text('Id of a challenge: who has it needs no token.', 'ZXhhbXBsZS1jaGFsbGVuZ2UtZm9yLXRoZS1kb2N1bWVudC0'),
});

const ChallengeState = object('ChallengeState', 'A challenge as it is now.', {
  challenge: orNull(LoginChallenge, 'Null: nothing is to be answered.'),
});

const defaults = { level: '-', tag: authTag } as const;

const failMalformed = (member: 'answer' | 'target', en: string, zh: string): RequestInvalid =>
  new RequestInvalid([{ ...wrongValue({ en, zh }), loc: ['body', member] }]);

const asFindings = (error: unknown): never => {
  if (isFailure(error, 'challenge-answer')) {
    throw failMalformed('answer', 'Input should look like such a code', '格式与验证码不符');
  }
  if (isFailure(error, 'challenge-target')) {
    throw failMalformed('target', 'Input should be the index of one of the targets', '应为可选号码之一的序号');
  }
  throw error;
};

export const challengeOperations = ({ services: { challenges }, place }: SurfaceBDeps): Operation[] => {
  const tell = (challenge: Challenge | null) => {
    const shown = challenge && presentChallenge(challenge, place);
    return new Told({ challenge: shown }, shown?.message ?? challengePassed);
  };

  return [
    operation('POST /auth/challenges', 'beginChallenge', {
      ...defaults,
      level: 'T',
      scope: 'login',
      credentials: true,
      summary: { en: 'Renew the campus session with the student there', zh: '本人验证后更新校园会话' },
      description:
        'After `PERSON_NEEDED`: signs in with the stored passwords while the student can answer. `challenge` is what the campus wants, or null where it wanted nothing and the session is live again. While a session has answered within 240 seconds there is nothing to renew, and the campus is not asked.',
      data: ChallengeState,
      message: challengePassed,
      failures: [
        'USER_NEED_RESET_PASSWORD',
        'PERSON_NEEDED',
        'CHALLENGE_BUSY',
        'CHALLENGE_NEEDLESS',
        'REMOTE_SERVICE_ERROR',
        'TIMEOUT',
      ],
      run: async (call) => tell(await challenges.begin(call.student, call)),
    }),
    operation('GET /auth/challenges/:id', 'getChallenge', {
      ...defaults,
      summary: { en: 'A challenge as it is now', zh: '查看本人验证' },
      description:
        'For an app that was closed in between. The campus is not asked. Unknown, ended, passed and another student’s are 404 alike: log in again.',
      params: ChallengePath,
      data: ChallengeState,
      message: challengePassed,
      run: async (call) => tell(await challenges.look(call.params.id)),
    }),
    operation('POST /auth/challenges/:id/send', 'sendChallenge', {
      ...defaults,
      credentials: true,
      summary: { en: 'Ask for a code, or for another image', zh: '发送验证码或更换图片' },
      description:
        'Asks the portal to send a code by SMS, or shows another image of a captcha. Only when the student wants it: it rings a phone. Where `targets` has more than one, `target` chooses. Not before `resend_after` seconds: 429.',
      params: ChallengePath,
      body: object('ChallengeSendRequest', 'Where a code is to be sent.', {
        target: Type.Optional(
          integer('`index` of one of `targets`, where there are several.', undefined, { minimum: 0, maximum: 99 }),
        ),
      }),
      bodyOptional: true,
      data: ChallengeState,
      message: challengePassed,
      example: { body: { target: 0 } },
      failures: ['CHALLENGE_BUSY', 'REMOTE_SERVICE_ERROR', 'TIMEOUT'],
      run: async (call) => tell(await challenges.send(call.params.id, call.body.target, call).catch(asFindings)),
    }),
    operation('POST /auth/challenges/:id/answer', 'answerChallenge', {
      ...defaults,
      credentials: true,
      summary: { en: 'Answer a challenge', zh: '提交验证码' },
      description:
        'Puts the answer to the campus, once, and answers what the login or the registration would have answered. 428: it was wrong, or one more step is wanted; the same id goes on. After the third wrong answer the challenge is over: 404. An answer that cannot be one is 422 and counts for nothing. After an answer that was lost, `GET` tells whether the challenge goes on; 404: log in again, which needs no step where it was passed.',
      params: ChallengePath,
      body: object('ChallengeAnswerRequest', 'What the student has read off.', {
        answer: text(
          'The characters of the image (1 to 8), the code of the message (4 to 8 digits), the one-time password.',
          undefined,
          { minLength: 1, maxLength: 64 },
        ),
      }),
      data: object('ChallengeAnswered', 'The login is complete.', {
        token: textOrNull(
          'Bearer token, as the login or registration would have answered it; null where a session was renewed, whose token goes on.',
          'ZXhhbXBsZS10b2tlbi1mb3ItdGhlLWRvY3VtZW50LTEyMw',
        ),
      }),
      message: '登录成功',
      example: { body: { answer: '482913' } },
      answerHeaders: grantHeaderDocs,
      failures: [...personFailures, 'REMOTE_CREDENTIALS_INVALID', 'TOKEN_INVALID', 'USERID_EXISTS'],
      // Registrations too are answered as logins: before a challenge is passed, no caller learns what it was for.
      wording: 'login',
      run: async (call) => {
        const answered = await challenges.answer(call.params.id, call.body.answer, call).catch(asFindings);
        if (answered.kind !== 'logged-in') return new Told({ token: null }, challengePassed);
        call.answer.headers(grantHeaders(answered.grants));
        return new Told({ token: answered.token }, answered.purpose === 'registration' ? '注册成功' : '登录成功');
      },
    }),
    operation('DELETE /auth/challenges/:id', 'deleteChallenge', {
      ...defaults,
      summary: { en: 'Give up a challenge', zh: '取消本人验证' },
      description: 'The student does not want to go on. Nothing is sent to the campus.',
      params: ChallengePath,
      data: Done,
      message: '已取消验证',
      run: async (call) => tellDone(await challenges.end(call.params.id)),
    }),
  ];
};
