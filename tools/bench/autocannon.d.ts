declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections?: number;
    readonly duration?: number;
    /** Milliseconds between two looks at whether the time is over. */
    readonly sampleInt?: number;
    readonly method?: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  interface Result {
    readonly requests: { readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly '3xx': number;
    readonly errors: number;
  }
  const autocannon: (options: Options) => Promise<Result>;
  // biome-ignore lint/style/noDefaultExport: the package is written so
  export default autocannon;
}
