import { createCipheriv } from 'node:crypto';

/**
 * The unified login's password field: DES/ECB with PKCS#7, keyed by the first eight bytes of the login ticket.
 * Single DES is hidden in OpenSSL's legacy provider; triple DES with the same key three times is the same cipher.
 */
export const encryptForUnifiedLogin = (password: string, lt: string): string => {
  const key = Buffer.alloc(8);
  Buffer.from(lt, 'utf8').copy(key, 0, 0, 8);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
  return Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]).toString('base64');
};
