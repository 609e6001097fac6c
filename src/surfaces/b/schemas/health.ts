import { Type } from '@sinclair/typebox';

export const AliveResponse = Type.Object(
  { message: Type.String({ description: 'Always `service is alive`.' }) },
  { title: 'AliveResponse', description: 'The process answers.' },
);
export const ReadyResponse = Type.Object(
  { message: Type.String({ description: 'Always `服务已就绪`.' }) },
  { title: 'ReadyResponse', description: 'The service can serve.' },
);
