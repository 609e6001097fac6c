import { Type } from '@sinclair/typebox';
import { text } from '../../records/atoms.ts';
import { component, envelope, failureEnvelope, nullable } from './envelope.ts';

const userid = text('Student id.');
const password = text('Password of the unified login.');
const vpnPassword = text('Password of the VPN portal.');

/** Stands in the examples of all operations. */
export const exampleToken = 'q7RkExampleExampleExampleExampleExampleExam';

export const AuthmeRequest = component('AuthmeRequest', 'Whose call it is.', {
  token: text('User token from login or registration.'),
});

export const InviteRequest = component('InviteRequest', 'The code to exchange.', {
  invite_code: text('Invite code, as the operator gave it out.'),
});

export const LoginRequest = component('LoginRequest', 'Student id and both campus passwords.', {
  userid,
  password,
  vpn_password: vpnPassword,
});

export const RegisterRequest = component('RegisterRequest', 'Student id, both campus passwords and an invite token.', {
  userid,
  password,
  vpn_password: vpnPassword,
  invite_token: text('From the verification of an invite code.'),
});

export const InviteTokenData = component('InviteTokenData', 'Permits one registration.', {
  invite_token: text('Permits one registration; valid for 30 minutes.'),
});

export const AuthMeData = component('AuthMeData', 'The token of a new login.', { authme_token: text('User token.') });

export const AuthmeStatusData = component('AuthmeStatusData', 'Whether the token is good, and whose it is.', {
  is_logged_in: Type.Boolean({ description: 'The token is good.' }),
  userid: nullable(Type.String(), { description: 'Student id; null when not logged in.' }),
});

export const InviteResponse = envelope('InviteResponse', InviteTokenData);
export const RegisterResponse = envelope('RegisterResponse', AuthMeData);
export const LoginResponse = envelope('LoginResponse', AuthMeData);
export const AuthmeResponse = envelope('AuthmeResponse', AuthmeStatusData);
export const AuthmeFailure = failureEnvelope('AuthmeFailure', AuthmeStatusData);
