import type { Dictionary } from './dictionary.ts';

/**
 * Sentences are polite (です・ます). An app is アプリ, access アクセス, a booking 予約, an event type イベントの種類, a
 * host 主催者, an attendee 参加者, a passkey パスキー. People ログイン and ログアウト.
 */
export const japanese = {
  // The frame of all pages:
  'Skip to content': '本文へスキップ',
  'Error:': 'エラー:',
  'API documentation': 'APIドキュメント',
  Language: '言語',
  'Change language': '言語を変更',
  'Browser’s language': 'ブラウザーの言語',
  Main: 'メイン',
  Menu: 'メニュー',
  Account: 'アカウント',
  Docs: 'ドキュメント',
  'Sign in': 'ログイン',
  'Sign out': 'ログアウト',
  'Sign out of {service}?': '{service} からログアウトしますか？',
  '{app} asks you to sign out of {service}, too.':
    '{app} は、{service} からもログアウトするよう求めています。',
  'This ends your session in this browser. Apps keep the access that you approved.':
    'このブラウザーのセッションが終了します。アプリは、許可されたアクセス権を保持します。',
  'Stay signed in': 'ログインしたままにする',
  'You’re signed out': 'ログアウトしました',
  'You can close this page.': 'このページは閉じてかまいません。',
  waiting: '件が待機中',
  'Go to home': 'ホームへ移動',
  Settings: '設定',
  'All settings': 'すべての設定',
  Admin: '管理',
  Profile: 'プロフィール',
  Sessions: 'セッション',
  'Account activity': 'アカウントの履歴',
  'Your data': 'あなたのデータ',
  People: 'メンバー',
  Teams: 'チーム',
  Organization: '組織',
  Overview: '概要',
  Accounts: 'アカウント一覧',
  'Audit log': '監査ログ',
  'Outgoing email': '送信メール',
  Apps: 'アプリ',
  Developer: '開発者',
  'Connected apps': '連携アプリ',
  'Your apps': 'あなたのアプリ',
  Review: '審査',
  Security: 'セキュリティ',
  'Personal tokens': '個人用トークン',
  Scheduling: 'スケジュール設定',
  Bookings: '予約',
  'Event types': 'イベントの種類',
  Schedules: 'スケジュール',
  Availability: '空き時間',
  Calendars: 'カレンダー',
  Webhooks: 'Webhook',
  // Sign-in and sign-up:
  'Email address': 'メールアドレス',
  Password: 'パスワード',
  Name: '名前',
  'Sign in with a passkey': 'パスキーでログイン',
  'Forgot your password?': 'パスワードをお忘れですか？',
  'New here?': '初めてご利用ですか？',
  'Create an account': 'アカウントを作成',
  'Create account': 'アカウントを作成',
  'Already have an account?': 'すでにアカウントをお持ちですか？',
  'The first account administers this installation: create yours now.':
    '最初のアカウントがこのシステムの管理者になります。今すぐ作成してください。',
  'Sign-ups are closed. Ask your administrator for an account.':
    '新規登録は受け付けていません。アカウントについては管理者にお問い合わせください。',
  'At least 10 characters. A few random words work well.':
    '10文字以上で入力してください。無関係な単語をいくつか組み合わせるのがおすすめです。',
  'Sign in to continue to {app}': '{app} に進むにはログインしてください',
  'Create an account to continue to {app}': '{app} に進むにはアカウントを作成してください',
  'Enter your password to continue to {app}': '{app} に進むにはパスワードを入力してください',
  'Reset your password to continue to {app}': '{app} に進むにはパスワードを再設定してください',
  'Sign in to continue to the app.': 'アプリに進むにはログインしてください。',
  'Create an account to continue to the app.': 'アプリに進むにはアカウントを作成してください。',
  'Enter your password to continue to the app.': 'アプリに進むにはパスワードを入力してください。',
  'Reset your password to continue to the app.': 'アプリに進むにはパスワードを再設定してください。',
  'Sign in to continue.': '続けるにはログインしてください。',
  'Create an account to continue.': '続けるにはアカウントを作成してください。',
  'Enter your password to continue.': '続けるにはパスワードを入力してください。',
  'Reset your password to continue.': '続けるにはパスワードを再設定してください。',
  'Sign in to answer your invitation.': '招待に返答するにはログインしてください。',
  'Create an account to answer your invitation.': '招待に返答するにはアカウントを作成してください。',
  'Enter your password to answer your invitation.': '招待に返答するにはパスワードを入力してください。',
  'Reset your password to answer your invitation.': '招待に返答するにはパスワードを再設定してください。',
  'You’re signed in': 'ログインしました',
  Continue: '続ける',
  'Your account is suspended': 'アカウントは停止されています',
  'An admin suspended it for this reason:': '管理者が次の理由で停止しました。',
  'You can’t sign in, and your apps and public pages don’t work. If you think this is a mistake, contact the people who run this service.':
    'ログインできず、あなたのアプリと公開ページも利用できません。誤りだと思われる場合は、このサービスの運営者にお問い合わせください。',
  'Incorrect email or password.': 'メールアドレスまたはパスワードが正しくありません。',
  'Incorrect password.': 'パスワードが正しくありません。',
  'Too many failed sign-ins.': 'ログインの失敗回数が多すぎます。',
  'If you can’t wait, reset your password.': 'お急ぎの場合は、パスワードを再設定してください。',
  'Try again in a minute.': '1分後にもう一度お試しください。',
  'Try again in {minutes} {minutes|minute|minutes}.': '{minutes}分後にもう一度お試しください。',
  'An account with this email already exists. Sign in instead.':
    'このメールアドレスのアカウントはすでに存在します。ログインしてください。',
  'This password is easy to guess. Use a few unrelated words, and not your email or username.':
    'このパスワードは推測されやすいものです。メールアドレスやユーザー名は避け、無関係な単語をいくつか組み合わせてください。',
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.':
    'ブラウザーがログイン用のCookieを保存しませんでした。このサイトのCookieを許可してから、もう一度ログインしてください。',
  'You were signed out, so this form wasn’t saved. Fill it in again.':
    'ログアウトされていたため、このフォームは保存されませんでした。もう一度入力してください。',
  'What you typed is kept, and sent once you’ve confirmed.':
    '入力内容は保持されており、本人確認が済むと送信されます。',
  'You were signed out. What you typed is kept, and sent once you’ve signed in.':
    'ログアウトされました。入力内容は保持されており、ログインすると送信されます。',
  'You are in these teams and organizations. If you don’t know one, leave it once you’re signed in: someone else may have joined it for you.':
    '次のチームと組織に参加しています。心当たりのないものは、ログイン後に退出してください。ほかの人があなたのアカウントで参加した可能性があります。',
  'You confirmed it’s you. Nothing was changed yet, so send this form again.':
    '本人確認が完了しました。まだ何も変更されていないため、このフォームをもう一度送信してください。',
  // Forgotten passwords:
  'We’ll email you a link to choose a new one.':
    '新しいパスワードを設定するためのリンクをメールでお送りします。',
  'Email me a link': 'リンクをメールで受け取る',
  'No mail server is set up here, so we can’t send you a link. Ask your administrator.':
    'メールサーバーが設定されていないため、リンクをお送りできません。管理者にお問い合わせください。',
  'Back to sign in': 'ログインに戻る',
  'Check your email': 'メールをご確認ください',
  'Email isn’t set up': 'メールが設定されていません',
  'If there’s an account with this email address, we’ve sent it a link. The link works for 30 minutes.':
    'このメールアドレスのアカウントがある場合は、リンクをお送りしました。リンクは30分間有効です。',
  'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.':
    '数分経っても届かない場合は、迷惑メールフォルダーをご確認いただくか、アドレスを確認して[もう一度お試しください]。メールは30分ごとに3通までリクエストできます。',
  'Choose a new password': '新しいパスワードを設定',
  'For the account {email}. You’ll be signed out everywhere else.':
    'アカウント {email} のパスワードです。ほかのブラウザーや端末からはすべてログアウトされます。',
  'New password': '新しいパスワード',
  'Keep what’s in this account': 'このアカウントの内容を残す',
  'Keep {things}': '次を残す: {things}',
  'Otherwise {consequences}. Select this only if no one else may have used your account.':
    '選択しない場合は、次のようになります: {consequences}。ほかの人があなたのアカウントを使った可能性がない場合にのみ選択してください。',
  'Someone else may have signed up with your address. Otherwise {things} end. Select this only if you created the account yourself.':
    'ほかの人があなたのアドレスで登録した可能性があります。選択しない場合、次のものは無効になります: {things}。ご自身でアカウントを作成した場合にのみ選択してください。',
  'Set new password': '新しいパスワードを保存',
  apps: 'アプリ',
  webhooks: 'Webhook',
  'personal tokens': '個人用トークン',
  'the chosen calendar': '選択したカレンダー',
  calendars: 'カレンダー',
  teams: 'チーム',
  'connected apps, the account’s own apps': '連携アプリ、アカウントに登録されたアプリ',
  'open invitations of owners and admins are withdrawn': 'オーナーや管理者になるための未回答の招待の取り消し',
  'every app loses its access and needs your permission again':
    'すべてのアプリのアクセス権の失効（再度あなたの許可が必要）',
  'your personal tokens end': '個人用トークンの無効化',
  'webhooks are turned off': 'Webhookの停止',
  'bookings are no longer written to a calendar': 'カレンダーへの予約の書き込みの停止',
  'This link doesn’t work': 'このリンクは無効です',
  'This link has expired or was already used.':
    'このリンクは有効期限が切れているか、すでに使用されています。',
  'Request a new link': '新しいリンクをリクエスト',
  // Verification:
  'Verify your email to continue': '続けるにはメールアドレスを確認してください',
  'We need to know that {email} is your address. Open the link that we emailed to you when you signed up, or get a new one. Then you come back to this step.':
    '{email} があなたのアドレスであることを確認する必要があります。登録時にお送りしたメールのリンクを開くか、新しいリンクをリクエストしてください。その後、この手順に戻ります。',
  'Not your address?': 'あなたのアドレスではありませんか？',
  'Change email address': 'メールアドレスを変更',
  'Verify email address': 'メールアドレスを確認',
  'Change your email address': 'メールアドレスの変更',
  'Verify your email address': 'メールアドレスの確認',
  'Send new link': '新しいリンクを送信',
  'We’ve sent a link to {email}. Open it in this browser to verify your address. It works once, for 24 hours.':
    '{email} にリンクをお送りしました。このブラウザーで開いてアドレスを確認してください。リンクは24時間以内に1回だけ使えます。',
  'Nothing there after a few minutes? Look in your spam folder, or get a new link.':
    '数分経っても届かない場合は、迷惑メールフォルダーをご確認いただくか、新しいリンクをリクエストしてください。',
  'We’ve sent you an email. Open its link in this browser to verify your address and sign in. It works once, for 24 hours.':
    'メールをお送りしました。このブラウザーでリンクを開き、アドレスを確認してログインしてください。リンクは24時間以内に1回だけ使えます。',
  'Nothing there after a few minutes? Look in your spam folder, or sign in to get a new link.':
    '数分経っても届かない場合は、迷惑メールフォルダーをご確認いただくか、ログインして新しいリンクをリクエストしてください。',
  'Your account will use {email}. You sign in with this address from then on.':
    'アカウントのアドレスが {email} になります。以後はこのアドレスでログインします。',
  'You use {email} for your account.': 'アカウントに {email} を使用しています。',
  'This link isn’t for the account of {email}. Sign out, and sign in with the account that asked for the link.':
    'このリンクは {email} のアカウント用ではありません。ログアウトしてから、リンクをリクエストしたアカウントでログインしてください。',
  'Sign in with your current address to change it to {email}.':
    'アドレスを {email} に変更するには、現在のアドレスでログインしてください。',
  'If you didn’t ask for this, close this page: nothing is changed.':
    'お心当たりがない場合は、このページを閉じてください。何も変更されません。',
  'Sign in to verify {email}. That way nobody else can set up an account with your address.':
    '{email} を確認するにはログインしてください。これにより、ほかの人があなたのアドレスでアカウントを設定できなくなります。',
  'If you don’t know the password, [reset it]: this verifies your address, too. If you didn’t sign up, close this page: without you, the account can’t do anything.':
    'パスワードがわからない場合は[再設定してください]。再設定でもアドレスが確認されます。登録した覚えがない場合は、このページを閉じてください。あなたの確認がなければ、このアカウントは何もできません。',
  'This link has expired, was already used, or was replaced by a newer one.':
    'このリンクは有効期限が切れているか、すでに使用されているか、新しいリンクに置き換えられています。',
  'Go to your profile': 'プロフィールへ移動',
  // Confirmation and passkeys:
  'Confirm it’s you': 'ご本人の確認',
  'You signed in a while ago. Before you {act}, enter your password again.':
    'ログインしてからしばらく経っています。{act}には、もう一度パスワードを入力してください。',
  Confirm: '確認',
  'Use your passkey instead': '代わりにパスキーを使う',
  'make a sensitive change': '重要な変更を行う',
  'give {app} full access to your account': '{app} にアカウントへのフルアクセスを許可する',
  'give {app} access to your account': '{app} にアカウントへのアクセスを許可する',
  'change your email address': 'メールアドレスを変更する',
  'change your password': 'パスワードを変更する',
  'download your data': 'データをダウンロードする',
  'delete your account': 'アカウントを削除する',
  'delete an app': 'アプリを削除する',
  'add a client secret': 'クライアントシークレットを追加する',
  'change how you sign in': 'ログイン方法を変更する',
  'create a personal token': '個人用トークンを作成する',
  'Use your passkey': 'パスキーを使用',
  'Use passkey': 'パスキーを使う',
  'Passkeys need JavaScript and a browser that supports them.':
    'パスキーを使うには、JavaScriptとパスキーに対応したブラウザーが必要です。',
  'Your browser didn’t use a passkey. Try again.':
    'ブラウザーでパスキーが使用されませんでした。もう一度お試しください。',
  'Your password is right. Confirm with one of your passkeys.':
    'パスワードは正しく入力されました。いずれかのパスキーで確認してください。',
  'Your browser shows the passkeys you have for {service}.':
    '{service} 用のパスキーがブラウザーに表示されます。',
  'No passkey at hand?': 'パスキーが手元にありませんか？',
  'Recovery code': 'リカバリーコード',
  'You saved 10 of them when you added your first passkey.':
    '最初のパスキーを追加したときに10個保存しています。',
  'Use recovery code': 'リカバリーコードを使う',
  'Start over': '最初からやり直す',
  'Use your password instead': '代わりにパスワードを使う',
  'Enter a recovery code.': 'リカバリーコードを入力してください。',
  'This recovery code is wrong, or was used before.':
    'このリカバリーコードは正しくないか、すでに使用されています。',
  'Your browser didn’t send a passkey. Try again.':
    'ブラウザーからパスキーが送信されませんでした。もう一度お試しください。',
  'This passkey didn’t work. Try again, or use another one.':
    'このパスキーは使用できませんでした。もう一度試すか、別のパスキーをお使いください。',
  'Your password alone doesn’t sign you in': 'パスワードだけではログインできません',
  'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.':
    'アカウントにパスキーが設定されていますが、このサービスではパスキーが無効になっています。運営者に、パスキーを再度有効にするか、あなたのパスキーを削除するよう依頼してください。',
  // The frame of all emails:
  'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.':
    'このメールは、{app} のアカウントに関するお知らせです。お心当たりがない場合は、ログインして設定をご確認ください。',
  'Or open': 'または次のリンクを開いてください:',
  // Booking pages:
  '{hours} {hours|hour|hours}': '{hours}時間',
  '{minutes} {minutes|minute|minutes}': '{minutes}分',
  '{hours} {minutes}': '{hours}{minutes}',
  '{kind}: {place}': '{kind}: {place}',
  '{label} (optional)': '{label}（任意）',
  '{event} with {names}': '{names} との {event}',
  '{event} between {hosts} and {attendee}': '{hosts} と {attendee} の {event}',
  'one of {names}': '{names} のいずれか1名',
  '{count} {count|other|others}': 'ほか{count}名',
  'The host confirms each booking': '予約は主催者の承認後に確定します',
  'The host will tell you where': '場所は主催者からお知らせします',
  'Book {name}': '{name} を予約',
  'Choose an event type and a time that suits you.': 'イベントの種類とご都合のよい時間をお選びください。',
  'Choose an event type to book.': '予約するイベントの種類をお選びください。',
  Length: '所要時間',
  'No event types yet': 'イベントの種類はまだありません',
  'People can book {team} here once it has an event type. Until then, only members see this page.':
    'イベントの種類を追加すると、ここで {team} を予約できるようになります。それまでは、メンバーだけがこのページを閲覧できます。',
  'Create event type': 'イベントの種類を作成',
  'View team': 'チームを表示',
  'Event type not found': 'イベントの種類が見つかりません',
  'The link may be wrong, or its host removed this event type.':
    'リンクが正しくないか、主催者がこのイベントの種類を削除した可能性があります。',
  'See what {name} offers': '{name} のイベントの種類を見る',
  'Time zone': 'タイムゾーン',
  'Change time zone': 'タイムゾーンを変更',
  Months: '月',
  'Days with available times in {month}': '{month}の予約可能な日',
  today: '今日',
  '{count} {count|time|times}': '{count}件の空き',
  'No times are available.': '予約できる時間はありません。',
  'We can’t load available times right now. Try again in a few minutes.':
    '現在、予約可能な時間を読み込めません。数分後にもう一度お試しください。',
  'The host’s calendar can’t be read, so nobody can book at the moment. We’ve told the host.':
    '主催者のカレンダーを読み込めないため、現在は誰も予約できません。主催者にはお知らせ済みです。',
  'Try again': '再試行',
  'No times available in {month}.': '{month}に予約できる時間はありません。',
  'View {month}': '{month}を表示',
  'Later months can’t be booked yet.': 'それ以降の月はまだ予約できません。',
  'No times available on this day. Choose another one.':
    'この日に予約できる時間はありません。別の日をお選びください。',
  Times: '時間',
  'Choose a day to see available times.': '日付を選ぶと、予約できる時間が表示されます。',
  'No times this month.': '今月は予約できる時間がありません。',
  'We don’t know that time zone. Times are shown in {zone}.':
    'そのタイムゾーンは見つかりません。時間は {zone} で表示しています。',
  'That day can’t be booked. Choose another one.': 'その日は予約できません。別の日をお選びください。',
  'Choose another time': '別の時間を選ぶ',
  'Choose another day': '別の日を選ぶ',
  'Other times on this day': 'この日のほかの時間',
  'No other times on this day.': 'この日にほかの時間はありません。',
  'Book this time': 'この時間で予約',
  'Request this time': 'この時間で申し込む',
  'We’ll send your confirmation and a link to reschedule or cancel.':
    '予約の確認メールと、変更・キャンセル用のリンクをお送りします。',
  'Visible to the host. This server can’t send email.':
    '主催者に表示されます。このサーバーからはメールを送信できません。',
  'Visible to the host.': '主催者に表示されます。',
  'Notes (optional)': '備考（任意）',
  'Guests (optional)': 'ゲスト（任意）',
  'Reason (optional)': '理由（任意）',
  'Email addresses, one per line.': 'メールアドレスを1行に1件ずつ入力してください。',
  'Email addresses, one per line, up to 10.': 'メールアドレスを1行に1件ずつ、10件まで入力できます。',
  'Email addresses, one per line, up to 10. Guests are notified.':
    'メールアドレスを1行に1件ずつ、10件まで入力できます。ゲストには通知が届きます。',
  Where: '場所',
  'Where: {place}': '場所: {place}',
  'Choose where.': '場所をお選びください。',
  'In person': '対面',
  Online: 'オンライン',
  'Phone call': '電話',
  'At your address': 'ご指定の住所',
  'Phone call to your number': 'ご指定の番号へのお電話',
  'At a place you choose': 'ご希望の場所',
  'Your address': 'ご住所',
  'Your phone number': 'お電話番号',
  Place: '場所',
  'Your address, phone number or place': 'ご住所、お電話番号、または場所',
  'Needed for: {places}.': '次の場合に必要です: {places}。',
  'Enter your address.': '住所を入力してください。',
  'Enter a phone number such as +49 30 123456.': '+49 30 123456 のような電話番号を入力してください。',
  'Enter a place.': '場所を入力してください。',
  'Choose…': '選択…',
  Yes: 'はい',
  'Too many bookings from your network. Try again in a minute.':
    'お使いのネットワークからの予約が多すぎます。1分後にもう一度お試しください。',
  'We can’t check available times right now. Try again in a minute.':
    '現在、予約可能な時間を確認できません。1分後にもう一度お試しください。',
  'This host can’t take more bookings today. Try again tomorrow.':
    'この主催者は本日これ以上の予約を受け付けられません。明日もう一度お試しください。',
  'This time is no longer available. Choose another one.':
    'この時間は予約できなくなりました。別の時間をお選びください。',
  'This time is no longer available. Choose another one. If you just booked it, you’re all set.':
    'この時間は予約できなくなりました。別の時間をお選びください。ご自身で予約したばかりの場合は、予約は完了しています。',
  'You already made a booking with this form. To make another one, choose another time.':
    'このフォームではすでに予約が完了しています。ほかに予約する場合は、別の時間をお選びください。',
  Booked: '予約済み',
  Pending: '承認待ち',
  Past: '終了',
  Rescheduled: '日時変更済み',
  Cancelled: 'キャンセル済み',
  Declined: '辞退',
  'You’re booked.': '予約が完了しました。',
  'The host still has to confirm this booking.': 'この予約は主催者の承認待ちです。',
  'This booking is over and can’t be changed.': 'この予約は終了しているため、変更できません。',
  'This booking was never confirmed, and its time is over.': 'この予約は承認されないまま、日時を過ぎました。',
  'This booking was rescheduled.': 'この予約の日時は変更されました。',
  'This booking was cancelled.': 'この予約はキャンセルされました。',
  'The host declined this booking.': '主催者がこの予約を辞退しました。',
  With: '主催者',
  Join: '参加',
  'Booked by': '予約者',
  Guests: 'ゲスト',
  Notes: '備考',
  Reason: '理由',
  'Reason for rescheduling': '変更の理由',
  'Rescheduled from {time}.': '変更前: {time}',
  'New time:': '新しい日時:',
  'Add to calendar:': 'カレンダーに追加:',
  '.ics file': '.icsファイル',
  'We sent a confirmation to {email}. Use the link in it to come back to this page.':
    '{email} に確認メールをお送りしました。メール内のリンクからこのページに戻れます。',
  'We sent the details to {email}. Use the link in it to come back to this page.':
    '{email} に詳細をお送りしました。メール内のリンクからこのページに戻れます。',
  'This server can’t send email. Save the address of this page to come back.':
    'このサーバーからはメールを送信できません。後で戻れるように、このページのアドレスを保存してください。',
  Reschedule: '日時を変更',
  'Cancel booking': '予約をキャンセル',
  'Keep booking': '予約をそのままにする',
  'Book another time': '別の時間を予約',
  'Join the meeting': 'ミーティングに参加',
  'Link set by': 'リンクの設定者',
  'Leads to': '移動先',
  'That site isn’t part of {app}. Never enter your {app} password there.':
    'このサイトは{app}のものではありません。{app}のパスワードは決して入力しないでください。',
  'Continue to {host}': '{host}へ進む',
  'This meeting doesn’t take place': 'このミーティングは行われません',
  'It’s over, or it was cancelled or rescheduled. A newer email has the new time and link.':
    '終了したか、キャンセルまたは変更されました。新しい日時とリンクは、最新のメールをご覧ください。',
  'Cancel this booking?': 'この予約をキャンセルしますか？',
  'All attendees will be notified and the time reopens.':
    '参加者全員に通知され、この時間は再び予約できるようになります。',
  'The time reopens. This server can’t send email, so nobody is notified.':
    'この時間は再び予約できるようになります。このサーバーからメールを送信できないため、通知は行われません。',
  'Reschedule: {title}': '日時の変更: {title}',
  'Reschedule booking': '予約の日時を変更',
  'Your booking': 'ご予約内容',
  'Choose a new time': '新しい日時を選ぶ',
  'Currently {time}': '現在の日時: {time}',
  '{title}, currently {time}': '{title}（現在の日時: {time}）',
  'Reschedule to this time?': 'この日時に変更しますか？',
  'The host has to confirm the new time. The current time is released immediately.':
    '新しい日時には主催者の承認が必要です。現在の時間はすぐに解放されます。',
  'Keep current time': '現在の日時のままにする',
  'Enter a name without web addresses.': 'URLを含まない名前を入力してください。',
  'Enter text.': 'テキストを入力してください。',
  'Enter up to {number} guests.': 'ゲストは{number}人まで入力できます。',
  '“{text}” isn’t a valid email address. Enter one per line.':
    '「{text}」は有効なメールアドレスではありません。1行に1件ずつ入力してください。',
  'Shorten this text.': 'テキストを短くしてください。',
  'Check this box.': 'このチェックボックスをオンにしてください。',
  'Choose an option.': '選択肢をお選びください。',
  'Answer this question.': 'この質問に回答してください。',
  'Enter email addresses, one per line.': 'メールアドレスを1行に1件ずつ入力してください。',
  'Choose from the options.': '選択肢の中からお選びください。',
  'Choose one of the options.': '選択肢から1つお選びください。',
  'Enter a number.': '数値を入力してください。',
  'Enter a phone number.': '電話番号を入力してください。',
  'Enter a link that begins with https://.': 'https:// で始まるリンクを入力してください。',
  // Booking emails:
  '{subject}: {title}, {time}': '{subject}: {title}、{time}',
  'This booking is confirmed.': 'この予約は確定しました。',
  'Your request was sent. We’ll email you when the host confirms or declines it.':
    'お申し込みを送信しました。主催者が承認または辞退したときに、メールでお知らせします。',
  'New request': '新しい申し込み',
  'Someone wants to book this time with you. Confirm or decline it.':
    'この時間に予約の申し込みがありました。承認または辞退してください。',
  'Rescheduled by': '変更した人',
  'Rescheduled and confirmed': '日時変更・確定',
  'This booking was rescheduled and is confirmed.': 'この予約の日時が変更され、確定しました。',
  'New time pending': '新しい日時は承認待ち',
  'You rescheduled this booking. The host has to confirm the new time; the previous time was released.':
    '予約の日時を変更しました。新しい日時には主催者の承認が必要です。変更前の時間は解放されました。',
  'New time requested': '日時変更の申し込み',
  'The attendee rescheduled this booking. Confirm or decline the new time; the previous time is free again.':
    '参加者がこの予約の日時を変更しました。新しい日時を承認または辞退してください。変更前の時間は再び空き時間になりました。',
  'No longer at this time': 'この日時では行われません',
  'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.':
    'この予約はこの日時では行われません。主催者が新しい日時を承認した場合は、メールでお知らせします。',
  Confirmed: '確定',
  'The host confirmed this booking.': '主催者がこの予約を承認しました。',
  'Cancelled by': 'キャンセルした人',
  'New host': '主催者の変更',
  'This booking has a new host.': 'この予約の主催者が変わりました。',
  'This booking has a new host, who still has to confirm it.':
    'この予約の主催者が変わりました。新しい主催者の承認待ちです。',
  'Assigned to you': 'あなたが主催者になりました',
  'You now host this booking.': 'あなたがこの予約の主催者になりました。',
  'You now host this booking. Confirm or decline it.':
    'あなたがこの予約の主催者になりました。承認または辞退してください。',
  Reassigned: '別の主催者に変更',
  'This booking was reassigned to another host.': 'この予約は別の主催者に割り当てられました。',
  'View booking': '予約を表示',
  'Confirm or decline booking': '予約を承認または辞退',
  'Reschedule or cancel booking': '予約の変更・キャンセル',
  'You received this email because someone made a booking with this address. If it wasn’t you, ignore this email.':
    'このメールアドレスで予約が行われたため、このメールをお送りしています。お心当たりがない場合は、このメールを無視してください。',
  'You received this email because someone made a booking with this address. If it wasn’t you, use the link to cancel it.':
    'このメールアドレスで予約が行われたため、このメールをお送りしています。お心当たりがない場合は、リンクから予約をキャンセルしてください。',
  'You received this email because someone added you as a guest. If you don’t know why, ignore it.':
    'ゲストとして追加されたため、このメールをお送りしています。お心当たりがない場合は、このメールを無視してください。',
  'the rest is on the booking’s page': '続きは予約ページをご覧ください',
  'the host': '主催者',
  '{name} (attendee)': '{name}（参加者）',
  What: '内容',
  'Previous time': '変更前の日時',
  'The address you entered': '入力された住所',
  'The phone number you entered': '入力された電話番号',
  'The place you entered': '入力された場所',
  // What is wrong with a form:
  'Enter an email address.': 'メールアドレスを入力してください。',
  'Enter a valid email address.': '有効なメールアドレスを入力してください。',
  'Use an address without “+” and 25 letters or digits before the @.':
    '@の前に「+」と25文字の英数字が付かないアドレスをお使いください。',
  'Enter a password.': 'パスワードを入力してください。',
  'Enter your password.': 'パスワードを入力してください。',
  'Enter your name.': '名前を入力してください。',
  'Use at least {number} characters.': '{number}文字以上で入力してください。',
  'Use at most {number} characters.': '{number}文字以内で入力してください。',
  'The NUL character isn’t allowed.': 'NUL文字は使用できません。',
  'Line breaks and control characters aren’t allowed.': '改行や制御文字は使用できません。',
  'Control characters aren’t allowed.': '制御文字は使用できません。',
  'Remove characters that change the text direction.': '文字の方向を変える文字を削除してください。',
  'Use visible characters.': '目に見える文字を使用してください。',
  // Consent:
  'Allow {app}?': '{app} を許可しますか？',
  '{app} wants access to your {service} account': '{app} が {service} アカウントへのアクセスを求めています',
  'Sign in to {app}': '{app} にログイン',
  'No website given': 'ウェブサイトの記載なし',
  'Reviewed by {service}': '{service} による審査済み',
  'You approved this app on {date}.': 'このアプリは{date}に許可済みです。',
  'It’s asking for different permissions this time.': '今回は異なる権限を求めています。',
  'Signed in as': 'ログイン中:',
  'Use another account': '別のアカウントを使う',
  '{app} asks you to sign in as {email}.': '{app} は、{email} としてログインするよう求めています。',
  '{app} asks you to sign in with another account.':
    '{app} は、別のアカウントでログインするよう求めています。',
  'You’re signed in as {email}.': '{email} としてログインしています。',
  'Back to the app': 'アプリに戻る',
  'It gets access to the team {team}.': 'チーム {team} へのアクセスが許可されます。',
  'Access to': 'アクセス先',
  '{name} (you)': '{name}（あなた）',
  '{name} (team)': '{name}（チーム）',
  '{app} will be able to:': '{app} ができること:',
  '{app} won’t be able to:': '{app} ができないこと:',
  Read: '閲覧',
  New: '新規',
  'Read and change': '閲覧と変更',
  'This includes the teams that you manage: {teams}.': 'あなたが管理するチームも含まれます: {teams}。',
  'Remove access anytime in Settings → Connected apps.':
    'アクセスは「設定」→「連携アプリ」でいつでも取り消せます。',
  'This access is for {resources}.': 'このアクセスの対象: {resources}',
  'your account': 'あなたのアカウント',
  'Don’t ask again for {app}': '{app} について次回から確認しない',
  'You’ll be redirected to {host}': '{host} に移動します',
  'You’ll be redirected to an app on this device: {host}': 'このデバイスのアプリに移動します: {host}',
  'You’ll be redirected to an app on this device: {host}. Allow it only if you started it yourself.':
    'このデバイスのアプリに移動します: {host}。ご自身で起動した場合にのみ許可してください。',
  Deny: '拒否',
  Allow: '許可',
  'Opening {app}…': '{app} を開いています…',
  'You can close this page once it’s open.': '開いたら、このページは閉じてかまいません。',
  'You’ve already allowed this': 'すでに許可しています',
  'The app has the access that you approved. Go back to the app.':
    'アプリには許可済みのアクセス権があります。アプリに戻ってください。',
  'View connected apps': '連携アプリを見る',
  'This page has expired': 'このページは有効期限が切れています',
  'It was opened too long ago or already used, or you’ve signed in again since. Your click changed nothing.':
    '開いてから時間が経ちすぎているか、すでに使用されたか、その後に再度ログインしています。クリックによる変更はありません。',
  'View the request again': 'リクエストをもう一度見る',
  'Invalid request': '無効なリクエスト',
  'Part of the address is repeated, too long or damaged.':
    'アドレスの一部が重複しているか、長すぎるか、破損しています。',
  'Go back to the app and try again. If it keeps happening, contact the developer.':
    'アプリに戻って、もう一度お試しください。繰り返し発生する場合は、開発者にお問い合わせください。',
  'Unknown app': '不明なアプリ',
  'The address names no registered app.': 'このアドレスに該当する登録済みのアプリはありません。',
  'This app isn’t available': 'このアプリは利用できません',
  'It isn’t approved at the moment.': '現在、承認されていません。',
  'Contact the developer.': '開発者にお問い合わせください。',
  'Incomplete request': '不完全なリクエスト',
  'It doesn’t say where to send you afterwards.': 'その後の移動先が指定されていません。',
  'The redirect URI doesn’t match': 'リダイレクトURIが一致しません',
  'The app asked to send you to an address that it hasn’t registered.':
    'アプリが、登録していないアドレスへの移動を要求しました。',
  'Your click changed nothing.': 'クリックによる変更はありません。',
  'Nothing was shared.': '何も共有されていません。',
  'Is it your app? Sign in with the account that registered it and open this address again to see what to fix.':
    'ご自身のアプリですか？登録したアカウントでログインし、このアドレスをもう一度開くと、修正点を確認できます。',
  'Building this app? Send each parameter once, in UTF-8, with at most 2,048 characters (state: 4,096).':
    'このアプリの開発者の方へ: 各パラメーターはUTF-8で1回だけ、2,048文字以内（stateは4,096文字以内）で送信してください。',
  'Building this app? Check that client_id is the client ID on your app’s page, or the full https address of its metadata document.':
    'このアプリの開発者の方へ: client_id が、アプリのページにあるクライアントID、またはメタデータ文書の完全なhttpsアドレスであることを確認してください。',
  'Building this app? Check that client_id is the client ID on your app’s page.':
    'このアプリの開発者の方へ: client_id が、アプリのページにあるクライアントIDであることを確認してください。',
  'This is your app: {app}': 'あなたのアプリです: {app}',
  'Your app is in review. Users can’t connect it until it’s approved.':
    'アプリは審査中です。承認されるまで、ユーザーは連携できません。',
  'Your app isn’t approved. Its page says why, and how to resubmit it.':
    'アプリは承認されていません。理由と再申請の方法は、アプリのページに記載されています。',
  'View app': 'アプリを見る',
  'Redirect URI in this request:': 'このリクエストのリダイレクトURI:',
  'None.': 'なし',
  'Registered redirect URIs (send one of them, character for character):':
    '登録済みのリダイレクトURI（いずれかを一字一句そのまま送信してください）:',
  'Edit app': 'アプリを編集',
  // Permissions, which are said with the care of a contract:
  'Use your account to sign you in': 'このアカウントを使ったアプリへのログイン',
  'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed':
    'このアカウントを使ったアプリへのログインと、名前、メールアドレス、ユーザー名、タイムゾーン、言語、およびそれらの最終変更日時の閲覧',
  'Use your account to sign you in, and see your email address':
    'このアカウントを使ったアプリへのログインと、メールアドレスの閲覧',
  'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed':
    'このアカウントを使ったアプリへのログインと、名前、ユーザー名、タイムゾーン、言語、およびそれらの最終変更日時の閲覧',
  'See your password, or change how you sign in': 'パスワードの閲覧や、ログイン方法の変更',
  'Change your email address, your teams or your other apps': 'メールアドレス、チーム、ほかのアプリの変更',
  'See your name, email address, username and time zone, and your teams with their members':
    '名前、メールアドレス、ユーザー名、タイムゾーン、および所属チームとそのメンバーの閲覧',
  'See your name, email address, username and time zone, and the members of the team':
    '名前、メールアドレス、ユーザー名、タイムゾーン、およびチームのメンバーの閲覧',
  'See or change your profile, or see your teams': 'プロフィールの閲覧や変更、チームの閲覧',
  'Change your profile, or see your teams': 'プロフィールの変更、チームの閲覧',
  'See or change your own bookings, schedules and calendars':
    'あなた自身の予約、スケジュール、カレンダーの閲覧や変更',
  'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown':
    'メールアドレスを含むプロフィール、および所属チームとそのメンバーの閲覧。名前、タイムゾーン、既定のスケジュール、時刻表示の変更',
  'Change your name, time zone or default schedule': '名前、タイムゾーン、既定のスケジュールの変更',
  'See your event types': 'イベントの種類の閲覧',
  'See, create, change and delete the event types of the team':
    'チームのイベントの種類の閲覧・作成・変更・削除',
  'See the event types of the team': 'チームのイベントの種類の閲覧',
  'See or change your event types': 'イベントの種類の閲覧や変更',
  'See, create, change and delete your event types': 'イベントの種類の閲覧・作成・変更・削除',
  'Change your event types': 'イベントの種類の変更',
  'See your bookings, with the names, email addresses and answers of people who book you':
    '予約の閲覧 (予約する人の名前、メールアドレス、回答を含む)',
  'See or change your bookings': '予約の閲覧や変更',
  'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it':
    'チームの予約の閲覧・作成・変更・キャンセル (予約する人の名前、メールアドレス、回答を含む)',
  'See the bookings of the team, with the names, email addresses and answers of people who book it':
    'チームの予約の閲覧 (予約する人の名前、メールアドレス、回答を含む)',
  'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you':
    '予約の閲覧・作成・変更・キャンセル (予約する人の名前、メールアドレス、回答を含む)',
  'Create, change or cancel bookings': '予約の作成・変更・キャンセル',
  'See your schedules, connected calendars and when you are busy in them':
    'スケジュール、接続済みのカレンダー、カレンダー上の予定がある時間帯の閲覧',
  'See the working hours of the members of the team': 'チームのメンバーの勤務時間の閲覧',
  'See or change your schedules and connected calendars': 'スケジュールと接続済みのカレンダーの閲覧や変更',
  'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them':
    'スケジュールの閲覧・作成・変更・削除、カレンダーの接続・切断、カレンダー上の予定がある時間帯の閲覧',
  'Change your schedules, connect or disconnect calendars': 'スケジュールの変更、カレンダーの接続・切断',
  'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go':
    'スケジュールの閲覧・作成・変更・削除、カレンダーの接続・切断、予定がある時間帯の閲覧、予約の書き込み先の選択',
  'See your webhooks, and what was sent to them': 'Webhookと、その送信内容の閲覧',
  'See, create, change and delete webhooks of the team, which send its bookings to other services':
    'チームの予約をほかのサービスに送信するWebhookの閲覧・作成・変更・削除',
  'See the webhooks of the team, and what was sent to them': 'チームのWebhookと、その送信内容の閲覧',
  'See or change your webhooks': 'Webhookの閲覧や変更',
  'See, create, change and delete your webhooks, which send your bookings to other services':
    'Webhook（予約をほかのサービスに送信する機能）の閲覧・作成・変更・削除',
  'Create, change or delete webhooks': 'Webhookの作成・変更・削除',
  // Connected apps:
  'Remove all access': 'すべてのアクセスを取り消す',
  'These apps have access to your account. You can remove it anytime, with immediate effect.':
    'これらのアプリはあなたのアカウントにアクセスできます。いつでも取り消すことができ、すぐに反映されます。',
  'No connected apps': '連携アプリはありません',
  'Apps you approve appear here.': '許可したアプリがここに表示されます。',
  'This app isn’t currently approved by our reviewers. It can’t use your account until it is.':
    'このアプリは現在、審査担当者に承認されていません。承認されるまで、アカウントを利用できません。',
  'Team {team}': 'チーム {team}',
  'Your account': 'あなたのアカウント',
  'Connected since {date}, last active {moment}': '{date}から連携、最終利用: {moment}',
  'You no longer manage this team, so the app can’t access it.':
    'あなたはこのチームを管理できなくなったため、アプリはこのチームにアクセスできません。',
  'It can': 'できること',
  'Nothing: the app no longer uses the permissions that you approved':
    'なし: このアプリは、許可された権限を現在使用していません',
  'For {resources}': '対象: {resources}',
  'Not connected at the moment.': '現在は連携していません。',
  'It can connect to the team {team} without asking you. You chose this on {date}.':
    '確認なしでチーム {team} に連携できます。{date}にあなたが選択しました。',
  'It can connect to your account without asking you. You chose this on {date}.':
    '確認なしであなたのアカウントに連携できます。{date}にあなたが選択しました。',
  'Ask me every time': '毎回確認する',
  'Remove access': 'アクセスを取り消す',
  'for {app}': '（{app}）',
  Previous: '前へ',
  Next: '次へ',
  Pages: 'ページ',
  'No apps have access to your account.': 'あなたのアカウントにアクセスできるアプリはありません。',
  '{count} {count|app has|apps have} access to your account. If you remove it:':
    '{count}個のアプリがあなたのアカウントにアクセスできます。取り消すと:',
  'No app can use your account or your teams, effective immediately.':
    'すべてのアプリは、あなたのアカウントやチームを直ちに利用できなくなります。',
  'Apps will need your permission again.': 'アプリには再度あなたの許可が必要になります。',
  'Your own tokens for the API end, too.': 'APIの個人用トークンも無効になります。',
  'Anything that they created stays.': 'アプリが作成したものはそのまま残ります。',
  Cancel: 'キャンセル',
  'Access removed. The app can no longer use your account.':
    'アクセスを取り消しました。このアプリはあなたのアカウントを利用できなくなりました。',
  'All access removed. No app can use your account.':
    'すべてのアクセスを取り消しました。どのアプリもあなたのアカウントを利用できません。',
  'The app will ask you every time from now on.': '今後、このアプリは毎回確認を求めます。',
  // Emails of accounts and consent:
  'Unknown browser': '不明なブラウザー',
  '{browser} on {system}': '{system} の {browser}',
  'You get this email because someone entered your address on our site.':
    'このメールは、あなたのアドレスが当サイトで入力されたためにお送りしています。',
  'Someone uses this email address for an account. If it was you:':
    'このメールアドレスがアカウントに使用されています。ご本人の場合:',
  'The link works once, for 24 hours. If it wasn’t you, ignore this email: the account can’t do anything with your address.':
    'リンクは24時間以内に1回だけ使えます。お心当たりがない場合は、このメールを無視してください。そのアカウントはあなたのアドレスで何もできません。',
  'You already have an account': 'すでにアカウントをお持ちです',
  'Someone tried to sign up with your email address. You already have an account with it.':
    'あなたのメールアドレスで新規登録が試みられました。このアドレスのアカウントはすでに存在します。',
  'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.':
    'ご本人の場合は、ログインするか、パスワードを再設定してください。そうでない場合は何もする必要はありません。何も変更されていません。',
  'Reset password': 'パスワードを再設定',
  'Your email address already has an account': 'あなたのメールアドレスのアカウントがすでに存在します',
  'Someone tried to sign up with your email address. It already has an account, which was never verified.':
    'あなたのメールアドレスで新規登録が試みられました。このアドレスには、まだ確認されていないアカウントがすでに存在します。',
  'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.':
    'そのアカウントを使うには、パスワードを再設定してください。アドレスが確認され、ほかの人は全員ログアウトされます。登録した覚えがない場合は何もする必要はありません。',
  'Confirm your new email address': '新しいメールアドレスをご確認ください',
  'Someone wants to use this email address for their account. If it was you:':
    'このメールアドレスをアカウントで使用するリクエストがありました。ご本人の場合:',
  'The link works once, for 24 hours, where you’re signed in. If it wasn’t you, ignore this email: nothing is changed.':
    'リンクは、ログイン中のブラウザーで24時間以内に1回だけ使えます。お心当たりがない場合は、このメールを無視してください。何も変更されません。',
  'Someone tried to use your email address': 'あなたのメールアドレスの使用が試みられました',
  'Someone tried to change the email address of their account to yours. It belongs to another account, so nothing was changed, and they were not told why.':
    'アカウントのメールアドレスをあなたのアドレスに変更しようとした人がいます。このアドレスは別のアカウントのものであるため変更は行われず、その理由は相手に伝えられていません。',
  'If this was you, change the address of the account that uses this one first.':
    'ご本人の場合は、先に、このアドレスを使用しているアカウントのアドレスを変更してください。',
  'Your email address was changed': 'メールアドレスが変更されました',
  'The email address of your account was changed. Sign in with the new address from now on.':
    'アカウントのメールアドレスが変更されました。今後は新しいアドレスでログインしてください。',
  From: '変更前',
  To: '変更後',
  Website: 'ウェブサイト',
  'none given': '記載なし',
  'Change password': 'パスワードを変更',
  'If this was you, no action is needed.': 'ご本人による操作の場合は、何もする必要はありません。',
  'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.':
    'お心当たりがない場合は、ほかの人にパスワードを知られています。ログインしてパスワードを変更し、次にアドレスを変更してください。ログインできない場合は、管理者にアカウントの停止を依頼してください。',
  'Someone signed in to your account with your password, in a new browser.':
    '新しいブラウザーから、あなたのパスワードでアカウントへのログインがありました。',
  'Someone signed in to your account with your passkey, in a new browser.':
    '新しいブラウザーから、あなたのパスキーでアカウントへのログインがありました。',
  'If it wasn’t you, someone else knows your password. Change it, and sign out the sessions you don’t recognize.':
    'お心当たりがない場合は、ほかの人にパスワードを知られています。パスワードを変更し、見覚えのないセッションをログアウトさせてください。',
  'If it wasn’t you, someone else has your passkey. Remove it, and sign out the sessions you don’t recognize.':
    'お心当たりがない場合は、パスキーがほかの人の手に渡っています。パスキーを削除し、見覚えのないセッションをログアウトさせてください。',
  'View security settings': 'セキュリティ設定を見る',
  'New sign-in to your account': 'アカウントへの新しいログイン',
  When: '日時',
  Browser: 'ブラウザー',
  Address: 'IPアドレス',
  'View sessions': 'セッションを見る',
  'Reset your password': 'パスワードの再設定',
  'Someone asked to reset the password of your account.':
    'アカウントのパスワード再設定のリクエストがありました。',
  'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.':
    'リンクは30分以内に1回だけ使えます。お心当たりがない場合は、このメールを無視してください。パスワードは変わりません。',
  'Your password was changed': 'パスワードが変更されました',
  'The password of your account was changed, and you were signed out everywhere else.':
    'アカウントのパスワードが変更され、ほかのブラウザーや端末からはすべてログアウトされました。',
  'If this was you, no action is needed. If it wasn’t, reset your password now.':
    'ご本人による操作の場合は、何もする必要はありません。お心当たりがない場合は、今すぐパスワードを再設定してください。',
  'You gave {app} access to your account': '{app} にアカウントへのアクセスを許可しました',
  'You approved an app:': 'アプリを許可しました:',
  App: 'アプリ',
  For: '対象',
  'If this was you, no action is needed. If not, remove the app’s access and change your password.':
    'ご本人による操作の場合は、何もする必要はありません。お心当たりがない場合は、アプリのアクセスを取り消し、パスワードを変更してください。',
  'the team {team}': 'チーム {team}',
  // Pages that say what went wrong:
  'This page is out of date': 'このページは古くなっています',
  'You’ve signed in again since you opened it. Nothing was saved yet, but what you typed is kept.':
    'ページを開いた後に再度ログインしました。まだ何も保存されていませんが、入力内容は保持されています。',
  'What you typed is kept here. Keep this page open, and send it once you’ve chosen a new password.':
    '入力内容はこのページに保持されています。このページを開いたままにし、新しいパスワードを設定してから送信してください。',
  'Send it now': '今すぐ送信',
  'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.':
    'ページを開いた後に再度ログインしたため、何も保存されませんでした。ページを開き直して、もう一度お試しください。',
  'Open the page again': 'ページを開き直す',
  'This form came from another site': 'このフォームは別のサイトから送信されました',
  'For your safety, nothing was changed. Open the page here and try again.':
    '安全のため、何も変更されませんでした。ここでページを開いて、もう一度お試しください。',
  'Page not found': 'ページが見つかりません',
  'The link may be wrong, or the page was removed.':
    'リンクが正しくないか、ページが削除された可能性があります。',
  'We’ll be back in a moment': 'まもなく復旧します',
  'Try again in a few seconds.': '数秒後にもう一度お試しください。',
  'Too many requests': 'リクエストが多すぎます',
  'They came from your network. Nothing was changed. Try again in a few seconds.':
    'お使いのネットワークから送信されました。何も変更されていません。数秒後にもう一度お試しください。',
  'Something went wrong': '問題が発生しました',
  'It’s our fault. Try again.': 'こちらの不具合です。もう一度お試しください。',
  'This request couldn’t be read': 'このリクエストは読み取れませんでした',
  'Nothing was changed. Go back and try again.':
    '何も変更されていません。前のページに戻って、もう一度お試しください。',
  'Nothing was changed.': '何も変更されていません。',
  'Try again tomorrow.': '明日もう一度お試しください。',
  'You, your apps or your network have asked for too much.':
    'お使いのアカウント、アプリ、またはネットワークからのリクエストが多すぎます。',
  'You have made too many changes in one day.': '1日の変更回数が多すぎます。',
  'You or your network have sent too many emails through us.':
    'お使いのアカウントまたはネットワークから送信されたメールが多すぎます。',
  'This booking has changed too often. You can still cancel it.':
    'この予約の変更回数が多すぎます。キャンセルは引き続き可能です。',
  'Too many accounts or links were asked for from your network.':
    'お使いのネットワークから要求されたアカウントまたはリンクが多すぎます。',
  'Send it again': 'もう一度送信',
} as const satisfies Dictionary;
