export default function SettingsScreen(props: { ws: string }) {
  return <h1>SettingsScreen {JSON.stringify(props)}</h1>;
}
