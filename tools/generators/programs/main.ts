/** Logs in, reads scores with their age, and tells failures by their code, with the client that was generated for fetch. */
import { AcademicAffairsApi, AuthenticationApi, Configuration, FailureEnvelopeFromJSON, ResponseError } from './index';

declare const process: { readonly argv: readonly string[] };
const [basePath = '', userid = '', password = '', vpnPassword = ''] = process.argv.slice(2);
const withToken = (accessToken: string) => new AcademicAffairsApi(new Configuration({ basePath, accessToken }));

const run = async (): Promise<void> => {
  const login = await new AuthenticationApi(new Configuration({ basePath })).login({
    loginRequest: { userid, password, vpnPassword },
  });
  const academics = withToken(login.data.token);
  const termCode = (await academics.listTerms()).data.find((term) => term.isCurrent)?.termCode ?? '';
  const asked = await academics.listTermScores({ termCode, cacheControl: 'max-age=0' });
  const copy = await academics.listTermScoresRaw({ termCode, xCopy: 'only' });
  if (asked.data.totalCount !== (await copy.value()).data.totalCount) throw new Error('the copy says something else');
  console.log('age', Number(copy.raw.headers.get('age')) >= 0);
  try {
    await withToken('wrong').getAcademicInfo();
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const { code } = FailureEnvelopeFromJSON(await error.response.json()).error;
    console.log('failure', error.response.status, code);
  }
};
void run();
