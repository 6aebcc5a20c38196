export function systemBrowser(): string | undefined;
