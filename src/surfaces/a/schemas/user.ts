import { Type } from '@sinclair/typebox';
import { component, envelope, nullable } from './envelope.ts';

const userid = Type.String({ description: 'Student id.' });
const password = Type.String({ description: 'Password of the unified login.' });
const vpnPassword = Type.String({ description: 'Password of the VPN portal.' });

export const AuthmeRequest = component('AuthmeRequest', {
  token: Type.String({ description: 'User token from login or registration.' }),
});

export const InviteRequest = component('InviteRequest', { invite_code: Type.String() });

export const LoginRequest = component('LoginRequest', { userid, password, vpn_password: vpnPassword });

export const RegisterRequest = component('RegisterRequest', {
  userid,
  password,
  vpn_password: vpnPassword,
  invite_token: Type.String({ description: 'From the verification of an invite code.' }),
});

export const InviteTokenData = component('InviteTokenData', {
  invite_token: Type.String({ description: 'Permits one registration; valid for 30 minutes.' }),
});

export const AuthMeData = component('AuthMeData', { authme_token: Type.String({ description: 'User token.' }) });

export const AuthmeStatusData = component('AuthmeStatusData', {
  is_logged_in: Type.Boolean(),
  userid: nullable(Type.String(), { default: null, description: 'Null when not logged in.' }),
});

export const InviteResponse = envelope('InviteResponse', InviteTokenData);
export const RegisterResponse = envelope('RegisterResponse', AuthMeData);
export const LoginResponse = envelope('LoginResponse', AuthMeData);
export const AuthmeResponse = envelope('AuthmeResponse', AuthmeStatusData);
