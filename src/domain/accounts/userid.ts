/** 1–20 ASCII letters and digits; case is kept, nothing is trimmed. */
export const useridForm = '^[0-9A-Za-z]{1,20}$';
const form = new RegExp(useridForm);
export const isUserid = (text: string): boolean => form.test(text);

/** Names the lease under which one id, in any spelling, is asked at the campus one call after the other. */
export const attemptLease = (userid: string): string => `attempt:${userid.toLowerCase()}`;

/** For all that signs a student in. The previous version takes the second name as well, and for renewals it alone. */
export const signInLease = (userid: string) => [attemptLease(userid), `campus-login:${userid}`] as const;
