import type { ProblemShape } from '../../platform/problems.ts';

/** How this surface words what the platform answers by itself: unknown paths, wrong methods, overload. */
export const problemShapeA: ProblemShape = ({ kind }) => {
  switch (kind) {
    case 'not-found':
      return { detail: 'Not Found' };
    case 'method-not-allowed':
      return { detail: 'Method Not Allowed' };
    case 'too-many-requests':
      return { code: 429, message: '请求过于频繁，请稍后再试', data: null };
    case 'unavailable':
      return { code: 503, message: '服务繁忙，请稍后重试', data: null };
    case 'internal':
      return { code: 500, message: '服务内部错误', data: null };
  }
};
