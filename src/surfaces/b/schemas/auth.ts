import { Type } from '@sinclair/typebox';

const userid = Type.String({ minLength: 1, maxLength: 20, description: 'Student id: letters and digits.' });
const password = Type.String({ minLength: 1, maxLength: 256, description: 'Password of the unified login.' });
const vpnPassword = Type.String({ minLength: 1, maxLength: 256, description: 'Password of the VPN portal.' });
const token = Type.String({ description: 'Bearer token; opaque.' });

export const LoginRequest = Type.Object(
  { userid, password, vpn_password: vpnPassword },
  { title: 'LoginRequest', description: 'Student id and both campus passwords.' },
);
export const LoginResponse = Type.Object({ token }, { title: 'LoginResponse', description: 'A bearer token.' });

export const InviteCodeRequest = Type.Object(
  {
    invite_code: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Invite code, as the operator gave it out.',
    }),
  },
  { title: 'InviteCodeRequest', description: 'The code to exchange.' },
);
export const InviteCodeResponse = Type.Object(
  { invite_token: Type.String({ description: 'Input of the registration; not a bearer token.' }) },
  { title: 'InviteCodeResponse', description: 'Permits one registration.' },
);

export const RegisterRequest = Type.Object(
  {
    userid,
    password,
    vpn_password: vpnPassword,
    invite_token: Type.String({ minLength: 1, maxLength: 256, description: 'Of `/auth/register/invite`.' }),
  },
  { title: 'RegisterRequest', description: 'Student id, both campus passwords and an invite token.' },
);
export const RegisterResponse = Type.Object({ token }, { title: 'RegisterResponse', description: 'A bearer token.' });

export const AuthMeResponse = Type.Object(
  {
    success: Type.Boolean({ description: 'Always true.' }),
    userid: Type.String({ description: 'Owner of the token.' }),
  },
  { title: 'AuthMeResponse', description: 'Whose token it is.' },
);

export const SessionsResponse = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'Names the session; of no use as a token.' }),
          created_at: Type.String({ description: 'Login or registration, in campus time.' }),
          last_used_at: Type.String({ description: 'To the hour.' }),
          network: Type.Union([Type.String(), Type.Null()], {
            description: 'Network of the last use, IPv4 by its /24 and IPv6 by its /64; null when it is not known.',
          }),
          current: Type.Boolean({ description: 'It is the token of this call.' }),
        },
        { title: 'TokenSession', description: 'A valid token of the student.' },
      ),
      { description: 'The newest first.' },
    ),
  },
  { title: 'SessionsResponse', description: 'Where the student is logged in.' },
);
export const SessionPath = Type.Object({ id: Type.String({ description: 'Id of a session.' }) });

export const AccountDeletionRequest = Type.Object(
  { password, vpn_password: vpnPassword },
  { title: 'AccountDeletionRequest', description: 'Both passwords, as they are stored.' },
);

export const Done = Type.Object(
  { success: Type.Boolean({ description: 'Always true.' }) },
  { title: 'Done', description: 'It is done.' },
);
