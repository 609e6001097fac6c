import { object, text } from '../../records/atoms.ts';

export const AliveResponse = object('AliveResponse', 'The process answers.', {
  message: text('Always `service is alive`.'),
});
export const ReadyResponse = object('ReadyResponse', 'The service can serve.', {
  message: text('Always `服务已就绪`.'),
});
