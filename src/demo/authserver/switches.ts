/** A change holds from the next request on. */
export class AuthserverSwitches {
  generation: 'new' | 'old' = 'new';
  /** Characters of the salt; 0: the page names none, and takes passwords as they are typed. */
  saltLength: 0 | 16 | 20 | 24 | 32 = 16;
  /** Status of a refusal. */
  refusal: 200 | 401 = 200;
  /** Whether an image is wanted, by account. */
  image: 'after-2-failures' | 'always' = 'after-2-failures';
  imageKind: 'image' | 'slider' | 'none' = 'image';
  /** The pages of the old generation have no question, as some of the new one have none. */
  question: 'answered' | 'as text' | 'missing' = 'answered';
  reauth: 'none' | '3' | '10' | '3+10' | '10+3' | '4' | '8' | '8+10' = 'none';
  /** Seconds between two codes. */
  codeTime = 120;
  /** A step that was passed is not asked for again from the same browser. */
  trust = false;
  /** The login asks again for the step that was just passed. */
  reauthHolds = true;
  /** The service that the page of the step names; empty: that of the sign-in. */
  reauthService = '';
  /** After a right password the login demands more of the student's particulars. */
  profile = false;
  frozen = false;
  /** The password of every student; null: each has an own one. */
  password: string | null = null;
  /** What it says to every password. */
  words = '';
  /** A firewall answers passwords: a status, with a page that is none of the login's. */
  passwordStatus: number | null = null;
  passwordText = '系统维护';
  /** It takes every browser for this student, `renew` or not. */
  knows: string | null = null;
}
