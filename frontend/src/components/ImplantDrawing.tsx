import styles from "./ImplantDrawing.module.css";

const THREADS = Array.from({ length: 9 }, (_, turn) => turn);

/** An implant, its abutment and its crown, slightly apart. Decoration, drawn for this project. */
export function ImplantDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 400 430" aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id="titanium" x1="0" x2="1">
          <stop offset="0" stopColor="#8FA3AE" />
          <stop offset=".28" stopColor="#F1F5F6" />
          <stop offset=".52" stopColor="#BFCCD3" />
          <stop offset="1" stopColor="#708793" />
        </linearGradient>
        <linearGradient id="enamel" x1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#FFFFFF" />
          <stop offset=".6" stopColor="#FBF7EC" />
          <stop offset="1" stopColor="#E2DAC6" />
        </linearGradient>
      </defs>
      <circle cx="200" cy="205" r="178" fill="#FBFAF7" opacity=".75" />
      <path
        d="M-400 262c150-14 260 26 400 6 60-22 96-10 138-6 40 4 84 4 124 0 42-4 78-16 138 6 140 20 250-20 400-6v268H-400Z"
        fill="#E9B7A9"
        opacity=".55"
      />
      <path
        d="M-400 306c150-10 270 22 400 6 64-18 100-8 140-5 40 3 80 3 120 0 40-3 76-13 140 5 130 16 250-16 400-6v224H-400Z"
        fill="#F3E6CF"
      />
      <path
        d="M138 120c-10-44 8-78 34-80 12-1 18 8 28 8s16-9 28-8c26 2 44 36 34 80-5 22-8 40-20 48-10 6-26-2-42-2s-32 8-42 2c-12-8-15-26-20-48Z"
        fill="url(#enamel)"
      />
      <path
        d="M164 74c10-10 18-6 36 2 18-8 26-12 36-2"
        fill="none"
        stroke="#D8CDB4"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path d="M184 184h32l6 32h-44Z" fill="url(#titanium)" />
      <path d="M176 216h48l-4 14h-40Z" fill="url(#titanium)" />
      <path d="M176 246h48l-8 142c-2 14-30 14-32 0Z" fill="url(#titanium)" />
      {THREADS.map((turn) => (
        <path
          key={turn}
          d={`M${172 + turn * 0.9} ${260 + turn * 14}l${56 - turn * 1.8}-6v5l-${56 - turn * 1.8} 6Z`}
          fill="#5F7682"
          opacity=".8"
        />
      ))}
    </svg>
  );
}
