// Opens the built page on this machine: `node serve.mjs [PORT]`. Any server of static files will do.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** A server of the files of a folder, and of nothing above it. */
export function server(folder) {
  return createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://page").pathname);
    let file = join(folder, normalize(path));
    if (!file.startsWith(folder)) return response.writeHead(404).end();
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (!existsSync(file)) return response.writeHead(404).end();
    const head = { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" };
    if (/\bbr\b/.test(request.headers["accept-encoding"] ?? "") && existsSync(`${file}.br`)) {
      file += ".br";
      head["content-encoding"] = "br";
    }
    response.writeHead(200, { ...head, "content-length": statSync(file).size });
    createReadStream(file).pipe(response);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[2] ?? 8080);
  const dist = join(dirname(fileURLToPath(import.meta.url)), "dist");
  server(dist).listen(port, "127.0.0.1", () => console.log(`open http://localhost:${port}/`));
}
