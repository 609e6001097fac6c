import { personalDays } from '../../domain/accounts/personal-tokens.ts';
import { isWriting, scopeNames, scopes } from '../../domain/scopes.ts';
import type { Project } from '../../lib/build.ts';
import type { Language } from '../languages.ts';
import type { Operator } from './openapi.ts';
import { escapedHtml, filled, pageFile } from './pages.ts';

/** How visitors may try a service with the demo campus; its passwords are no secrets. */
export interface DemoAccess {
  readonly students: ReadonlyArray<{
    readonly userid: string;
    readonly password: string;
    /** Missing where the campus has no portal. */
    readonly vpn_password?: string;
  }>;
  readonly invite: string;
}

/** The bar to log in, and the way to the documents. `versions`: of its two scripts. */
export const startPage = (
  language: Language,
  versions: { readonly reference: string; readonly start: string },
  demo: DemoAccess | null,
  about: { readonly hasPortal: boolean; readonly operator: Operator; readonly project: Project },
): string => {
  const { hasPortal, operator, project } = about;
  const pairs = demo?.students.map(
    ({ userid, password, vpn_password }) =>
      `<code>${[userid, password, vpn_password].filter((part) => part !== undefined).join(' / ')}</code>`,
  );
  const boxes = scopeNames.map((scope) => {
    const writes = isWriting(scope) ? ' data-writes' : '';
    return `<label><input type="checkbox" name="scope" value="${scope}"${writes}><span><code>${scope}</code> ${scopes[scope][language]}</span></label>`;
  });
  const first = demo?.students[0];
  const template = pageFile(`start.${language}.html`);
  return filled(
    template.replace('<style></style>', () => `<style>${pageFile('start.css')}</style>`),
    {
      ...versions,
      repository: project.repository === '' ? null : escapedHtml(project.repository),
      bugs: project.bugs === '' ? null : escapedHtml(project.bugs),
      operator: operator.name && escapedHtml(operator.name),
      contact: operator.contact && escapedHtml(operator.contact),
      contactName: operator.contact && escapedHtml(operator.contact.replace('mailto:', '')),
      demo: pairs?.join(' · ') ?? null,
      invite: demo?.invite ?? null,
      userid: first?.userid ?? '',
      password: first?.password ?? '',
      vpn: hasPortal ? '' : null,
      vpnPassword: first?.vpn_password ?? '',
      secret: demo ? 'text' : 'password',
      scopes: boxes.join(''),
      days: personalDays.map((count) => `<option value="${count}">${count}</option>`).join(''),
    },
  );
};
