import { Type } from '@sinclair/typebox';
import { object, text, textOrNull } from '../../records/atoms.ts';

const userid = Type.String({ minLength: 1, maxLength: 20, description: 'Student id: letters and digits.' });
const password = Type.String({ minLength: 1, maxLength: 256, description: 'Password of the unified login.' });
const vpnPassword = Type.String({ minLength: 1, maxLength: 256, description: 'Password of the VPN portal.' });
const token = text('Bearer token; opaque.');

export const LoginRequest = object('LoginRequest', 'Student id and both campus passwords.', {
  userid,
  password,
  vpn_password: vpnPassword,
});
export const LoginResponse = object('LoginResponse', 'A bearer token.', { token });

export const InviteCodeRequest = object('InviteCodeRequest', 'The code to exchange.', {
  invite_code: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Invite code, as the operator gave it out.',
  }),
});
export const InviteCodeResponse = object('InviteCodeResponse', 'Permits one registration.', {
  invite_token: text('Input of the registration; not a bearer token.'),
});

export const RegisterRequest = object('RegisterRequest', 'Student id, both campus passwords and an invite token.', {
  userid,
  password,
  vpn_password: vpnPassword,
  invite_token: Type.String({ minLength: 1, maxLength: 256, description: 'Of `/auth/register/invite`.' }),
});
export const RegisterResponse = object('RegisterResponse', 'A bearer token.', { token });

export const AuthMeResponse = object('AuthMeResponse', 'Whose token it is.', {
  success: Type.Boolean({ description: 'Always true.' }),
  userid: text('Owner of the token.'),
});

export const SessionsResponse = object('SessionsResponse', 'Where the student is logged in.', {
  sessions: Type.Array(
    object('TokenSession', 'A valid token of the student.', {
      id: text('Names the session; of no use as a token.'),
      created_at: text('Login or registration, in campus time.'),
      last_used_at: text('To the hour.'),
      network: textOrNull('Network of the last use, IPv4 by its /24 and IPv6 by its /64; null when it is not known.'),
      current: Type.Boolean({ description: 'It is the token of this call.' }),
    }),
    { description: 'The newest first.' },
  ),
});
export const SessionPath = Type.Object({ id: text('Id of a session.') });

export const AccountDeletionRequest = object('AccountDeletionRequest', 'Both passwords, as they are stored.', {
  password,
  vpn_password: vpnPassword,
});

export const Done = object('Done', 'It is done.', { success: Type.Boolean({ description: 'Always true.' }) });
