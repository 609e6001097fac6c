import Fastify from 'fastify';
import { addMeter } from './meter.ts';

/** Nothing but the framework: it answers one token, and refuses all others at once. */
const accepted = `Bearer ${process.env.BENCH_TOKEN}`;
const refusal = { success: false, message: '请求过于频繁，请稍后再试', data: null };
const app = Fastify();
app.addHook('onRequest', (request, reply, done) => {
  if (request.headers.authorization === accepted) return done();
  reply.code(429).header('Retry-After', '1').send(refusal);
});
app.get('/auth/authme/token', async () => ({ success: true, message: 'Token 验证成功', data: { success: true } }));
addMeter();
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
