import { campusTimestamp } from '../lib/time.ts';

/** `2025-04-12 14:00:00`: how the labor club writes a moment. */
export const timeText = (epochMs: number): string => campusTimestamp(epochMs, 'Asia/Shanghai');
