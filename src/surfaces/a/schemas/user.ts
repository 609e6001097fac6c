import { Type } from '@sinclair/typebox';
import { component, envelope, failureEnvelope, nullable } from './envelope.ts';

const userid = Type.String({ description: 'Student id.' });
const password = Type.String({ description: 'Password of the unified login.' });
const vpnPassword = Type.String({ description: 'Password of the VPN portal.' });

/** Stands in the examples of all operations. */
export const exampleToken = 'q7RkExampleExampleExampleExampleExampleExam';

export const AuthmeRequest = component(
  'AuthmeRequest',
  {
    token: Type.String({ description: 'User token from login or registration.' }),
  },
  'Whose call it is.',
);

export const InviteRequest = component(
  'InviteRequest',
  {
    invite_code: Type.String({ description: 'Invite code, as the operator gave it out.' }),
  },
  'The code to exchange.',
);

export const LoginRequest = component(
  'LoginRequest',
  { userid, password, vpn_password: vpnPassword },
  'Student id and both campus passwords.',
);

export const RegisterRequest = component(
  'RegisterRequest',
  {
    userid,
    password,
    vpn_password: vpnPassword,
    invite_token: Type.String({ description: 'From the verification of an invite code.' }),
  },
  'Student id, both campus passwords and an invite token.',
);

export const InviteTokenData = component(
  'InviteTokenData',
  {
    invite_token: Type.String({ description: 'Permits one registration; valid for 30 minutes.' }),
  },
  'Permits one registration.',
);

export const AuthMeData = component(
  'AuthMeData',
  { authme_token: Type.String({ description: 'User token.' }) },
  'The token of a new login.',
);

export const AuthmeStatusData = component(
  'AuthmeStatusData',
  {
    is_logged_in: Type.Boolean({ description: 'The token is good.' }),
    userid: nullable(Type.String(), { description: 'Student id; null when not logged in.' }),
  },
  'Whether the token is good, and whose it is.',
);

export const InviteResponse = envelope('InviteResponse', InviteTokenData);
export const RegisterResponse = envelope('RegisterResponse', AuthMeData);
export const LoginResponse = envelope('LoginResponse', AuthMeData);
export const AuthmeResponse = envelope('AuthmeResponse', AuthmeStatusData);
export const AuthmeFailure = failureEnvelope('AuthmeFailure', AuthmeStatusData);
