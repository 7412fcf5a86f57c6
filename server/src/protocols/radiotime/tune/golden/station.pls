[playlist]
File1=http://stream.example.net/harbourfolk-128.mp3
Title1=Harbour Folk
Length1=-1
File2=http://stream.example.net/harbourfolk-64.aac
Title2=Harbour Folk
Length2=-1
NumberOfEntries=2
Version=2
