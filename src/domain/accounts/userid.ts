/** 1–20 ASCII letters and digits; case is kept, nothing is trimmed. */
export const isUserid = (text: string): boolean => /^[0-9A-Za-z]{1,20}$/.test(text);
